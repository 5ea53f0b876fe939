import { isJsonObject } from '../../base/json/is-object.ts'
import { anyText } from '../../base/text/constraint.ts'
import { checkDocument, complaintsAbout } from '../../control/fields/check-document.ts'
import { field, itemMap, list, required } from '../../control/fields/field.ts'
import { complain, type Document, formatComplaint, sortComplaints } from '../../control/files/complaint.ts'
import { decodeText, maxFileBytes, readDocument } from '../../control/files/document.ts'
import { about, type Path } from '../../control/files/show.ts'
import { checkRuleItself, checkRulesTogether } from '../../control/scenario/checks/rules.ts'
import type { RuleFields } from '../../control/scenario/file.ts'
import { rule as ruleShape } from '../../control/scenario/settings/rules.ts'
import { scenario } from '../../control/scenario/settings/scenario.ts'
import { addedPet } from '../../control/scenario/settings/world.ts'
import type { RuleState } from '../../library/client/ask-plane.ts'
import { PetMockError } from '../../library/client/pet-mock-error.ts'
import { readText } from '../../library/files/read-file.ts'
import { refuseUsage } from '../arguments/usage-error.ts'
import { failed, type Loading, loadText } from '../start/load/loading.ts'
import { exitCodes, readStandardInput, standardInput } from '../terminal/io.ts'
import { shellWords } from '../terminal/printable.ts'
import type { Session } from './server-command.ts'

interface Given {
  readonly document: Document
  readonly rules: readonly RuleFields[]
  readonly pathOf: (index: number) => Path
}

/** Adds the rules of a file so that their order is that of the file. */
export async function addRules(
  session: Session,
  show: (added: readonly RuleState[]) => void,
): Promise<number> {
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

const fileShape = itemMap({
  $schema: field(anyText, ''),
  title: field(anyText, ''),
  description: field(anyText, ''),
  rules: required(list(ruleShape), ''),
})

async function readRules(path: string): Promise<Loading<Given>> {
  const input = await readInput(path)
  if (!input.ok) return input
  const document = input.value
  const { value } = document
  const isFile = isJsonObject(value) && !Object.hasOwn(value, 'then')
  const checking = Array.isArray(value)
    ? checkDocument<readonly RuleFields[]>(list(ruleShape), document)
    : checkDocument<{ readonly rules: readonly RuleFields[] } & RuleFields>(
        isFile ? fileShape : ruleShape,
        document,
      )
  if (!checking.ok) {
    const isScenario =
      isFile &&
      checking.badPaths.some(
        ([name = '', ...rest]) => rest.length === 0 && Object.hasOwn(scenario.fields, name),
      )
    const hint = isScenario ? [`For a whole scenario: pet-mock scenarios use ${shellWords([path])}`] : []
    return failed(...checking.complaints.map(formatComplaint), ...hint)
  }
  const given = checking.value
  const rules = 'rules' in given ? given.rules : Array.isArray(given) ? given : [given]
  const pathOf = (index: number): Path => (isFile ? ['rules', index] : Array.isArray(given) ? [index] : [])
  const problems = [
    ...rules.flatMap((rule, index) => checkRuleItself(rule, pathOf(index))),
    ...checkRulesTogether(rules, pathOf),
  ]
  const complaints = sortComplaints(complaintsAbout(document, problems))
  return complaints.length > 0
    ? failed(...complaints.map(formatComplaint))
    : { ok: true, value: { document, rules, pathOf } }
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

/** Reads YAML or JSON from a file of at most 1 MiB, or from standard input for `-`. Lists every syntax error. */
function readInput(path: string): Promise<Loading<Document>> {
  const isInput = path === standardInput
  const text = isInput ? readStandardInput(maxFileBytes).then(decodeText) : readText(path)
  const name = isInput ? 'standard input' : path
  return loadText(name, text, text => readDocument(name, text))
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
