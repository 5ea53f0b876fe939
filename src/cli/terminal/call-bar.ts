import type { TextStream } from './io.ts'

const width = 30

/** A progress bar of the calls made so far. Only a terminal shows it. */
export function createCallBar(stderr: TextStream, most: number) {
  const write = (text: string) => {
    if (stderr.columns !== undefined) stderr.write(`\r\x1b[K${text}`)
  }
  return {
    onCall: (calls: number) => {
      const full = Math.min(width, Math.round((calls / most) * width))
      write(`  ${'█'.repeat(full)}${'░'.repeat(width - full)} ${calls} of at most ${most} calls`)
    },
    clear: () => write(''),
  }
}
