/** Signals that end a program which cannot go on, by their numbers on Linux and macOS. */
const crashes: Readonly<Record<number, string>> = {
  4: 'SIGILL',
  6: 'SIGABRT',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
}

/** A shell adds this to the number of a signal. */
const signalBase = 128

/** The signal of a crash, by the exit code that a shell gives it. */
export function crashSignal(exitCode: number): string | undefined {
  return crashes[exitCode - signalBase]
}
