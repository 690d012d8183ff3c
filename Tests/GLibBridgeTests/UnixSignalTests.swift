import GLibBridge
import Glibc
import Testing

/// Signals are the process's: each test has a process of its own.
@Suite(.timeLimit(.minutes(1))) struct UnixSignalTests {
  @Test func eachSignalIsToldOnItsLoopsThread() async {
    await #expect(processExitsWith: .success) {
      let loop = LoopThread(name: "signals").executor
      let places = Journal<Bool>()
      let heard = [Arrival<Void>(), Arrival<Void>(), Arrival<Void>()]
      UnixSignals.on(SIGUSR1, in: loop) {
        let number = places.entries.count
        places.add(loop.isCurrent)
        if number < heard.count { heard[number].send() }
      }
      // The next only once the last was heard: those that come at once count as one.
      for arrival in heard {
        #expect(kill(getpid(), SIGUSR1) == 0)
        try await arrival.value
      }
      let turn = Arrival<Void>()
      loop.later { loop.later { turn.send() } }
      try await turn.value
      #expect(places.entries == [true, true, true])
    }
  }

  @Test func aMaskThatWasHandedDownIsCleared() async {
    await #expect(processExitsWith: .success) {
      var (blocked, now) = (sigset_t(), sigset_t())
      sigfillset(&blocked)
      pthread_sigmask(SIG_BLOCK, &blocked, nil)
      UnixSignals.resetMask()
      pthread_sigmask(SIG_BLOCK, nil, &now)
      for number in [SIGTERM, SIGINT, SIGHUP, SIGCHLD] { #expect(sigismember(&now, number) == 0) }
    }
  }

  @Test func aReaderThatWentAwayIsAnErrorAndNotTheEnd() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_DFL)
      UnixSignals.resetMask()
      var pipe: [Int32] = [-1, -1]
      #expect(Glibc.pipe(&pipe) == 0)
      close(pipe[0])
      #expect(write(pipe[1], "x", 1) == -1 && errno == EPIPE)
    }
  }
}
