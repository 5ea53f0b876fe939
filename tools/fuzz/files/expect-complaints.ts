import { Broken } from '../lane.ts'

/** A stack of this process, or a defect's own words. */
const inside =
  /\n\s+at |node:internal|\bTypeError\b|\bRangeError\b|Cannot read prop|is not a function|undefined is not/

/** Throws Broken unless each message says where in the text it is wrong, and is one for people. */
export function expectComplaints(text: string, complaints: readonly string[]): void {
  if (complaints.length === 0) throw new Broken('The file is rejected without a message.')
  const lines = text.split(/\r\n|\n|\r/).length
  for (const complaint of complaints) {
    const [, line, column, message = ''] = /^[^:]+:(\d+):(\d+): ([\s\S]+)$/.exec(complaint) ?? []
    const isPlace = Number(line) >= 1 && Number(line) <= lines + 1 && Number(column) >= 1
    if (!isPlace) throw new Broken(`No place in the file: ${JSON.stringify(complaint.slice(0, 500))}`)
    if (message.trim() === '' || inside.test(message))
      throw new Broken(`Not a message for people: ${JSON.stringify(complaint.slice(0, 800))}`)
    if (message.length > 5_000)
      throw new Broken(
        `A message of ${message.length} characters: ${JSON.stringify(complaint.slice(0, 300))}`,
      )
  }
}
