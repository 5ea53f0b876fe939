import type { CommandGroup } from '../arguments/command.ts'
import { type Flag, flag, isOn, one, right } from '../arguments/flag.ts'
import { wholeNumber } from '../arguments/flag-values.ts'
import { serverFlags } from '../arguments/server-flags.ts'

const which = 'Which requests:'
const how = 'How:'

/** What a request must fit is for the server to read. */
function filter(value: string, about: string, spell = (text: string) => text): Flag<string | undefined> {
  return { value, group: which, about, fallback: undefined, read: one(text => right(spell(text))) }
}

const showKeys = flag<boolean>({
  value: '',
  group: how,
  about: 'show API keys in full, and not as demo-f…',
  fallback: false,
  read: isOn,
})

/** All that must hold of a request. */
export const filterFlags = {
  status: filter('STATUS', 'with this status, such as 429, or of this class, such as 4xx'),
  method: filter('METHOD', 'by this method; GET is HEAD, too', text => text.toUpperCase()),
  path: filter('PATH', 'to this path, such as /v1/pets/{petId}'),
  operation: filter('NAME', 'for this operation: listPets, createPet, getPet, listOrders'),
  key: filter('KEY', 'with this API key, * for any characters, such as demo-*'),
  plan: filter('PLAN', 'with a key of this plan'),
  code: filter('CODE', 'answered with this code, such as pet_not_found'),
  rule: filter('NAME', 'on which this rule acted'),
  since: filter('ISO|DURATION', "from an instant on, or for so long until now, on the server's clock"),
  refused: flag<boolean>({
    value: '',
    group: which,
    about: 'refused by a limit or a ban',
    fallback: false,
    read: isOn,
  }),
}

export const listFlags = {
  ...filterFlags,
  limit: flag<number | undefined>({
    value: 'N',
    group: how,
    about: 'at most so many, the newest [20; with --json all]',
    fallback: undefined,
    read: one(wholeNumber('a number of requests', 1_000_000_000)),
  }),
  follow: flag<boolean>({
    alias: 'f',
    value: '',
    group: how,
    about: 'go on with each that comes, until Ctrl+C; with --json one in a line',
    fallback: false,
    read: isOn,
  }),
  'show-keys': showKeys,
  ...serverFlags,
}

export const explainFlags = { 'show-keys': showKeys, ...serverFlags }

export const requests: CommandGroup = {
  name: 'requests',
  about: 'Lists and explains what a running server was asked.',
  commands: [
    {
      name: 'list',
      isDefault: true,
      about: 'Lists the requests that are kept, the newest last.',
      flags: listFlags,
      examples: [
        ['$0 requests --status 429 --follow', 'each that is refused, as it comes'],
        ["$0 requests --sandbox '*' --since 30s", 'of all sandboxes, the last half minute'],
      ],
      notes: ['With --json the newest is the first, as the admin plane lists them.'],
      run: async (...args) => (await import('./list-requests.ts')).run(...args),
    },
    {
      name: 'explain',
      words: '[ID]',
      about: 'Tells why a request, or the newest one, was answered as it was.',
      flags: explainFlags,
      examples: [['$0 requests explain 17', '']],
      notes: [],
      run: async (...args) => (await import('./explain-request.ts')).run(...args),
    },
    {
      name: 'clear',
      about: 'Forgets the requests that are kept; their numbers go on.',
      flags: serverFlags,
      examples: [],
      notes: [],
      run: async (...args) => (await import('./clear-requests.ts')).run(...args),
    },
  ],
}
