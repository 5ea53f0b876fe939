import { anyText, wholeNumbers } from '../../../base/text/constraint.ts'
import { field, required } from '../../../control/fields/field.ts'
import { PetMockError } from '../../../library/client/pet-mock-error.ts'
import { type FileTool, problemsOf, reads } from './tool.ts'

const numbers = wholeNumbers('the number of a call', 1)
const fields = {
  file: required(anyText, 'The file, such as a test or CI left.', ['run.petbox']),
  from: field(numbers, 'The first call to show, by its number in the box. Default: the first.', [37]),
  limit: field(wholeNumbers('a whole number of calls from 1 to 100', 1, 100), 'Default: 20.', [20]),
}

export const showBox: FileTool = {
  name: 'show_box',
  about:
    'Reads the recording of a run (a .petbox file) and shows its calls, with the reason for each response. Use it after a test failed.',
  hints: reads,
  fields,
  problems: input => problemsOf(fields, input),
  act: async ({ file, from = 1, limit = 20 }) => {
    const { openBox } = await import('../../box/open-box.ts')
    const { readRun, showCall } = await import('../box/read.ts')
    const opening = await openBox(String(file), undefined)
    if (!opening.ok) throw new PetMockError('invalid_body', opening.complaints.join('\n'))
    const { header, end } = opening.value.box
    const calls: object[] = []
    for await (const { line } of readRun(opening.value)) {
      if (line !== undefined && line.played.number >= Number(from)) calls.push(showCall(line))
      if (calls.length === Number(limit)) break
    }
    return { version: header.version, first: header.from, last: end - 1, calls }
  },
}
