import { readString, readValue } from './read.ts'
import { next, type Scan, skipSpace } from './scan.ts'

/** The offset of a path's value or key in a JSON text, or of its nearest existing parent. */
export function locateInJson(
  text: string,
  path: readonly (string | number)[],
  part: 'key' | 'value',
): number {
  const scan: Scan = { text, at: 0, problem: '' }
  skipSpace(scan)
  let key = scan.at
  for (const step of path) {
    const start = scan.at
    const found = typeof step === 'number' ? stepToItem(scan, step) : stepToMember(scan, step)
    if (found === undefined) return start
    key = found
  }
  return part === 'key' ? key : scan.at
}

/** Leaves the scan at the value, and returns the offset of its name. */
function stepToMember(scan: Scan, name: string): number | undefined {
  if (scan.text[scan.at] !== '{') return undefined
  do {
    scan.at += 1
    if (next(scan) !== '"') return undefined
    const at = scan.at
    const found = readString(scan)
    next(scan)
    scan.at += 1
    skipSpace(scan)
    if (found === name) return at
    readValue(scan, '', 0)
  } while (next(scan) === ',')
  return undefined
}

function stepToItem(scan: Scan, index: number): number | undefined {
  if (scan.text[scan.at] !== '[') return undefined
  for (let passed = 0; ; passed += 1) {
    scan.at += 1
    if (next(scan) === ']') return undefined
    if (passed === index) return scan.at
    readValue(scan, '', 0)
    if (next(scan) !== ',') return undefined
  }
}
