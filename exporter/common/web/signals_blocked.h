// signals_blocked.h: threads that leave signals to the main thread.
#pragma once

#include <pthread.h>
#include <signal.h>

namespace limpet::web {

// While one lives, threads that are started get no signals: those are for the main thread. SIGPIPE
// is among them, which OpenSSL's writes to a closed connection would raise.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    ::sigfillset(&all);
    for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
      ::sigdelset(&all, own);
    }
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace limpet::web
