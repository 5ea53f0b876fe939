import type { TextStream } from '../terminal/io.ts'

const width = 30

export interface CallBar {
  readonly onCall: (calls: number) => void
  readonly clear: () => void
}

/** Tells on a terminal how many of the calls that may be made are made. */
export function createCallBar(stderr: TextStream, most: number): CallBar {
  const isTerminal = stderr.columns !== undefined
  return {
    onCall: calls => {
      if (!isTerminal) return
      const full = Math.min(width, Math.round((calls / most) * width))
      stderr.write(
        `\r\x1b[K  ${'█'.repeat(full)}${'░'.repeat(width - full)} ${calls} of at most ${most} calls`,
      )
    },
    clear: () => {
      if (isTerminal) stderr.write('\r\x1b[K')
    },
  }
}
