import { checkDocument } from '../../control/fields/check-document.ts'
import { list } from '../../control/fields/field.ts'
import { complain, formatComplaint } from '../../control/files/complaint.ts'
import { about } from '../../control/files/show.ts'
import { addedPet } from '../../control/scenario/settings/world.ts'
import type { RuleState } from '../../library/client/ask-plane.ts'
import { PetMockError } from '../../library/client/pet-mock-error.ts'
import { refuseUsage } from '../arguments/command.ts'
import { type Given, readInput, readRules } from '../rules/read-rules.ts'
import { failed, type Loading } from '../start/load/loading.ts'
import { exitCodes } from '../terminal/io.ts'
import type { Session } from './server-command.ts'

/** Adds the rules of a file so that their order is that of the file. */
export async function addRules(session: Session, show: (added: readonly RuleState[]) => void) {
  const { words, ask, io } = session
  const reading = await readRules(words[0] ?? '')
  if (!reading.ok) return refuseUsage(reading.complaints, io)
  const { rules } = reading.value
  const before = rules.length > 1 ? (await ask('listRules')).rules : []
  const added: RuleState[] = []
  // The server puts each added rule before all others.
  for (const [index, rule] of [...rules.entries()].toReversed()) {
    try {
      added.unshift(await ask('addRule', rule))
    } catch (error) {
      if (!(error instanceof PetMockError)) throw error
      throw inFile(error, reading.value, index, await removeAgain(session, added, before))
    }
  }
  show(added)
  return exitCodes.fine
}

/** Removes what was added before a refusal. Returns the rules that stay: they replaced rules with the same names. */
async function removeAgain(
  { ask }: Session,
  added: readonly RuleState[],
  before: readonly RuleState[],
): Promise<readonly RuleState[]> {
  const replaced = new Set(before.map(({ name }) => name))
  for (const { name } of added.filter(rule => !replaced.has(rule.name))) await ask('deleteRule', { name })
  return added.filter(({ name }) => replaced.has(name))
}

/** A refusal of the server, with the place in the file. The server starts it with a path such as `rule.match.key`. */
function inFile(
  { code, message }: PetMockError,
  { document, pathOf }: Given,
  index: number,
  staying: readonly RuleState[],
): PetMockError {
  const [start = '', path = ''] = /^rule((?:\.\w+)*): /.exec(message) ?? []
  const whole = [...pathOf(index), ...path.split('.').slice(1)]
  const complaint = complain(document, whole, 'value', about(whole, message.slice(start.length)))
  const names = staying.map(({ name }) => name).join(', ')
  const rest = staying.length === 0 ? '' : ` Of this file, these rules replaced others: ${names}.`
  return new PetMockError(code, `${formatComplaint(complaint)}${rest}`)
}

/** The pets of a file: a list of them, or a single one. */
export async function readPets(path: string): Promise<Loading<readonly object[]>> {
  const input = await readInput(path)
  if (!input.ok) return input
  const isList = Array.isArray(input.value.value)
  const checking = checkDocument<object | readonly object[]>(isList ? list(addedPet) : addedPet, input.value)
  if (!checking.ok) return failed(...checking.complaints.map(formatComplaint))
  return { ok: true, value: Array.isArray(checking.value) ? checking.value : [checking.value] }
}
