import { groupDigits } from '../../base/text/quantities.ts'

/** The last bytes of an output that may be of any length. */
export interface OutputTail {
  readonly add: (bytes: Buffer) => void
  /** The kept end as text. Bytes that are not UTF-8 become U+FFFD. */
  readonly text: () => string
}

/** What a person may read, and a certificate with many runs can hold. */
const usualBytes = 65_536

export function createOutputTail(most = usualBytes): OutputTail {
  const ring = Buffer.alloc(most)
  let written = 0
  return {
    add: bytes => {
      const kept = bytes.subarray(Math.max(0, bytes.length - most))
      const at = (written + bytes.length - kept.length) % most
      const first = kept.subarray(0, most - at)
      first.copy(ring, at)
      kept.copy(ring, 0, first.length)
      written += bytes.length
    },
    text: () => {
      if (written <= most) return decode(ring.subarray(0, written))
      const at = written % most
      const whole = fromFirstLine(Buffer.concat([ring.subarray(at), ring.subarray(0, at)]))
      return `[${groupDigits(written - whole.length)} earlier bytes are left out]\n${decode(whole)}`
    },
  }
}

/** Drops the line whose start is lost, unless nothing else is left. */
function fromFirstLine(bytes: Buffer): Buffer {
  const end = bytes.indexOf(0x0a)
  return end === -1 || end === bytes.length - 1 ? bytes : bytes.subarray(end + 1)
}

function decode(bytes: Buffer): string {
  return new TextDecoder().decode(bytes)
}
