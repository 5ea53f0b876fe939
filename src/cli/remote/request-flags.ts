import { type Flag, flag, isOn, one, right, type ValuesOf } from '../arguments/flag.ts'
import { wholeNumber } from '../arguments/flag-values.ts'

const which = 'Which requests:'
const how = 'How:'

/** The server checks the value of a filter. */
function filter(value: string, about: string, spell = (text: string) => text): Flag<string | undefined> {
  return { value, group: which, about, fallback: undefined, read: one(text => right(spell(text))) }
}

/** A request must match all of these. */
export const filterFlags = {
  status: filter('STATUS', 'with this status, such as 429, or of this class, such as 4xx'),
  method: filter('METHOD', 'with this method; GET includes HEAD', text => text.toUpperCase()),
  path: filter('PATH', 'to this path, such as /v1/pets/{petId}'),
  operation: filter('NAME', 'for this operation: listPets, createPet, getPet, listOrders'),
  key: filter('KEY', 'with this API key; * stands for any characters, such as demo-*'),
  plan: filter('PLAN', 'with a key of this plan'),
  code: filter('CODE', 'answered with this code, such as pet_not_found'),
  rule: filter('NAME', 'that this rule acted on'),
  since: filter('ISO|DURATION', "since an instant, or within the last DURATION, on the server's clock"),
  refused: flag<boolean>({
    value: '',
    group: which,
    about: 'refused by a limit or a ban',
    fallback: false,
    read: isOn,
  }),
}

export const explainFlags = {
  'show-keys': flag<boolean>({
    value: '',
    group: how,
    about: 'show API keys in full instead of as demo-f…',
    fallback: false,
    read: isOn,
  }),
}

export const listFlags = {
  ...filterFlags,
  limit: flag<number | undefined>({
    value: 'N',
    group: how,
    about: 'show at most the N newest [20; with --json all]',
    fallback: undefined,
    read: one(wholeNumber('a number of requests', 1_000_000_000)),
  }),
  follow: flag<boolean>({
    alias: 'f',
    value: '',
    group: how,
    about: 'print each new request until Ctrl+C; with --json one per line',
    fallback: false,
    read: isOn,
  }),
  ...explainFlags,
}

export type ListValues = ValuesOf<typeof listFlags>
export type ExplainValues = ValuesOf<typeof explainFlags>
