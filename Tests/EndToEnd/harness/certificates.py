"""Certificates that nobody vouches for."""

import ssl
import subprocess


class Certificate:
    """A self-signed one for localhost, with its key."""

    def __init__(self, folder, name="own"):
        self.file, self.key = str(folder / f"{name}.pem"), str(folder / f"{name}.key")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
             "-out", self.file, "-keyout", self.key],
            check=True, capture_output=True)

    @property
    def options(self):
        return ["--tls-certificate", self.file, "--tls-key", self.key]

    @property
    def trusted(self):
        """For clients: this certificate and no other."""
        return ssl.create_default_context(cafile=self.file)
