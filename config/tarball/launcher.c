// launcher.c: what bin/limpet-exporter and bin/limpet-diagnoser of the self-contained tarball are.
//
// Starts the program of the same name from ../libexec with the C library, loader and libraries of
// ../lib, so that nothing of the machine's own is needed, wherever the tarball was unpacked. Linked
// statically, because it has to run where there is no loader. It replaces itself: the process, its
// parent and its notifications are the same.
//
// Exit code: 127 when the program cannot be started; otherwise the program's own.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

// Where distributions keep the certificates of the authorities they trust. The bundled OpenSSL
// knows Debian's alone.
static const char* const authorities[] = {
    "/etc/ssl/certs/ca-certificates.crt",                 // Debian, Ubuntu, Arch, Gentoo, Alpine
    "/etc/pki/tls/certs/ca-bundle.crt",                   // Fedora, RHEL 6 to 9
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // RHEL 7 and later
    "/etc/ssl/ca-bundle.pem",                             // openSUSE
    "/etc/ssl/cert.pem",                                  // Alpine
};

static void trust_the_machines_authorities(void) {
  if (getenv("SSL_CERT_FILE") != NULL || getenv("SSL_CERT_DIR") != NULL) {
    return;
  }
  for (size_t i = 0; i < sizeof authorities / sizeof *authorities; ++i) {
    if (access(authorities[i], R_OK) == 0) {
      setenv("SSL_CERT_FILE", authorities[i], 1);
      return;
    }
  }
}

// The path of this file without symbolic links; 0 when it cannot be told.
static int find_self(char path[PATH_MAX]) {
  const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
  if (length > 0) {
    path[length] = '\0';
    return 1;
  }
  // Without /proc: the name by which the kernel was asked to start it.
  const char* const started = (const char*)getauxval(AT_EXECFN);
  return started != NULL && realpath(started, path) != NULL;
}

// The part of path before its last slash; the rest, without the slash, is returned.
static char* cut_last(char* path) {
  char* const slash = strrchr(path, '/');
  if (slash == NULL) {
    return NULL;
  }
  *slash = '\0';
  return slash + 1;
}

int main(int argc, char** argv) {
  char prefix[PATH_MAX];
  char* name = NULL;
  if (!find_self(prefix) || (name = cut_last(prefix)) == NULL || cut_last(prefix) == NULL) {
    fprintf(stderr,
            "limpet: cannot tell where it is installed; start it by its absolute path, or mount "
            "/proc\n");
    return 127;
  }
  char program[2 * PATH_MAX];
  char library_path[2 * PATH_MAX];
  char start[2 * PATH_MAX];
  snprintf(program, sizeof program, "%s/libexec/%s", prefix, name);
  snprintf(library_path, sizeof library_path, "%s/lib", prefix);
  // A symbolic link to the loader, named after the program, so that ps and top show that name.
  snprintf(start, sizeof start, "%s/lib/start/%s", prefix, name);
  trust_the_machines_authorities();

  // --inhibit-cache: the machine's list of libraries is of another C library.
  char* const front[] = {start,     "--inhibit-cache",         "--library-path", library_path,
                         "--argv0", argc > 0 ? argv[0] : name, program};
  const size_t front_count = sizeof front / sizeof *front;
  const size_t own = argc > 0 ? (size_t)argc - 1 : 0;
  char** const all = calloc(front_count + own + 1, sizeof *all);
  if (all == NULL) {
    fprintf(stderr, "%s: %s\n", name, strerror(errno));
    return 127;
  }
  memcpy(all, front, sizeof front);
  if (own > 0) {
    memcpy(all + front_count, argv + 1, own * sizeof *all);
  }
  execv(start, all);
  fprintf(stderr, "%s: %s: %s; unpack the whole tarball and leave its folders together\n", name,
          start, strerror(errno));
  return 127;
}
