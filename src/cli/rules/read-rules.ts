import { isJsonObject } from '../../base/json/is-object.ts'
import { anyText } from '../../base/text/constraint.ts'
import { checkDocument, complaintsAbout } from '../../control/fields/check-document.ts'
import { field, itemMap, list, required } from '../../control/fields/field.ts'
import { type Document, formatComplaint, sortComplaints } from '../../control/files/complaint.ts'
import { decodeText, maxFileBytes, readDocument } from '../../control/files/document.ts'
import type { Path } from '../../control/files/show.ts'
import { checkRuleItself, checkRulesTogether } from '../../control/scenario/checks/rules.ts'
import type { RuleFields } from '../../control/scenario/file.ts'
import { rule as ruleShape } from '../../control/scenario/settings/rules.ts'
import { scenario } from '../../control/scenario/settings/scenario.ts'
import { readText } from '../../library/files/read-file.ts'
import { failed, type LoadedBy, type Loading, loadText } from '../start/load/loading.ts'
import { readStandardInput, standardInput } from '../terminal/io.ts'
import { shellWords } from '../terminal/text.ts'

export type Given = LoadedBy<typeof readRules>

const fileShape = itemMap({
  $schema: field(anyText, ''),
  title: field(anyText, ''),
  description: field(anyText, ''),
  rules: required(list(ruleShape), ''),
})

/** The rules of a file: a list of them, a single one, or those of a scenario. */
export async function readRules(path: string) {
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
    const isField = ([name = '', ...rest]: Path) => rest.length === 0 && Object.hasOwn(scenario.fields, name)
    const isScenario = isFile && checking.badPaths.some(isField)
    const hint = isScenario ? [`For a whole scenario: pet-mock scenarios use ${shellWords([path])}`] : []
    return failed(...checking.complaints.map(formatComplaint), ...hint)
  }
  const given = checking.value
  const rules: readonly RuleFields[] = 'rules' in given ? given.rules : Array.isArray(given) ? given : [given]
  const pathOf = (index: number): Path => (isFile ? ['rules', index] : Array.isArray(given) ? [index] : [])
  const alone = rules.flatMap((rule, index) => checkRuleItself(rule, pathOf(index)))
  const problems = [...alone, ...checkRulesTogether(rules, pathOf)]
  const complaints = sortComplaints(complaintsAbout(document, problems))
  return complaints.length > 0
    ? failed(...complaints.map(formatComplaint))
    : { ok: true as const, value: { document, rules, pathOf } }
}

/** Reads YAML or JSON from a file of at most 1 MiB, or from standard input for `-`. Lists every syntax error. */
export function readInput(path: string): Promise<Loading<Document>> {
  const isInput = path === standardInput
  const text = isInput ? readStandardInput(maxFileBytes).then(decodeText) : readText(path)
  const name = isInput ? 'standard input' : path
  return loadText(name, text, text => readDocument(name, text))
}
