import { wholeNumbers } from '../../base/text/constraint.ts'
import { operationIds } from '../../service/operations/operations.ts'
import { flagGroup, right, type ValuesOf } from '../arguments/flag.ts'
import { numberOf } from '../arguments/flag-values.ts'

const which = flagGroup('Which requests:')
const options = flagGroup('Options:')

/** The server checks the value of a filter. */
function filter(value: string, about: string, spell = (text: string) => text) {
  return which.optional<string>({ value, about, parse: text => right(spell(text)) })
}

/** A request must match all of these. */
export const filterFlags = {
  status: filter('STATUS', 'with this status, such as 429, or of this class, such as 4xx'),
  method: filter('METHOD', 'with this method; GET includes HEAD', text => text.toUpperCase()),
  path: filter('PATH', 'to this path, such as /v1/pets/{petId}'),
  operation: filter('NAME', `for this operation: ${operationIds.join(', ')}`),
  key: filter('KEY', 'with this API key; * stands for any characters, such as demo-*'),
  plan: filter('PLAN', 'with a key of this plan'),
  code: filter('CODE', 'answered with this code, such as pet_not_found'),
  rule: filter('NAME', 'that this rule acted on'),
  since: filter('ISO|DURATION', "since an instant, or within the last DURATION, on the server's clock"),
  refused: which.toggle({ about: 'refused by a limit or a ban' }),
}

export const explainFlags = {
  'show-keys': options.toggle({ about: 'show API keys in full instead of as demo-f…' }),
}

export const listFlags = {
  ...filterFlags,
  limit: options.optional({
    value: 'N',
    about: 'show at most the N newest [20; with --json all]',
    parse: numberOf(wholeNumbers('a number of requests from 0 to 1000000000', 0, 1_000_000_000)),
  }),
  follow: options.toggle({
    alias: 'f',
    about: 'print each new request until Ctrl+C; with --json one per line',
  }),
  ...explainFlags,
}

export type ListValues = ValuesOf<typeof listFlags>
export type ExplainValues = ValuesOf<typeof explainFlags>
