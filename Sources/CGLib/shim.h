#ifndef WEBVIEW_SERVER_CGLIB_H
#define WEBVIEW_SERVER_CGLIB_H

#include <gio/gio.h>
#include <gio/gunixinputstream.h>
#include <gio/gunixsocketaddress.h>
#include <glib-unix.h>
#include <glib.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* prctl is variadic, which Swift cannot call. Async-signal-safe: used between fork and exec. */
static inline int webview_set_parent_death_signal(int signal) {
  return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0);
}

/* pthread_setname_np needs _GNU_SOURCE, which Swift's Glibc module does not set. */
static inline int webview_set_thread_name(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

/* A file that only memory has; -1 with errno. Glibc shows its own function to C alone. */
static inline int webview_memory_file(const char *name) {
  return (int)syscall(SYS_memfd_create, name, 1u /* MFD_CLOEXEC */);
}

/* Readable when the process ends, whoever reaps it; -1 with errno. */
static inline int webview_watch_process(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0u); }

/* Swift has no fork. Only before the program has threads of its own: the child may then do anything. */
static inline pid_t webview_fork(void) { return fork(); }

typedef struct {
  int death_signal;
  pid_t parent;
} WebviewChildSetup;

/* Runs between fork and exec, so only async-signal-safe calls: the child starts with no blocked signal and
   dies with the thread that spawned it. */
static inline void webview_child_setup(void *data) {
  const WebviewChildSetup *setup = (const WebviewChildSetup *)data;
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, 0);
  if (setup->death_signal != 0) {
    webview_set_parent_death_signal(setup->death_signal);
    /* The parent may have died before the call above. */
    if (getppid() != setup->parent) _exit(127);
  }
}

#endif
