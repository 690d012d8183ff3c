"""Certificates that nobody vouches for, or an authority of the tests' own."""

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


class Authority:
    """Vouches for certificates; a program that is started behind `prefix` believes it, as root and with namespaces."""

    BUNDLE = "/etc/ssl/certs/ca-certificates.crt"

    def __init__(self, folder):
        self.folder, self.file, self.key = folder, str(folder / "authority.pem"), str(folder / "authority.key")
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=Test Authority", "-addext", "basicConstraints=critical,CA:TRUE", "-out", self.file, "-keyout", self.key)

    def certificate(self):
        """The files of a certificate for localhost and of its key."""
        request, file, key = (str(self.folder / name) for name in ("request.pem", "vouched.pem", "vouched.key"))
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=localhost",
                "-out", request, "-keyout", key)
        (self.folder / "names").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
        openssl("x509", "-req", "-in", request, "-CA", self.file, "-CAkey", self.key, "-CAcreateserial", "-days", "2",
                "-extfile", str(self.folder / "names"), "-out", file)
        return file, key

    @property
    def prefix(self):
        """Puts the authority in the place of the system's, for one program. None where that is not allowed."""
        command = ["unshare", "--mount", "sh", "-c", f'mount --bind {self.file} {self.BUNDLE} && exec "$0" "$@"']
        return command if subprocess.run([*command, "true"], capture_output=True).returncode == 0 else None


def openssl(*arguments):
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)
