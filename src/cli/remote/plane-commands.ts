import { parseInt64 } from '../../base/json/int64.ts'
import { readJson } from '../../base/json/read.ts'
import { wholeNumbers } from '../../base/text/constraint.ts'
import { formatSize, formatTimes, groupDigits } from '../../base/text/quantities.ts'
import { parseDuration } from '../../base/time/duration.ts'
import { parseInstant } from '../../base/time/instant.ts'
import { NotText } from '../../control/files/document.ts'
import { showFlow, showValue } from '../../control/files/show.ts'
import type { PlaneClock, PlaneKey, PlanePet } from '../../generated/plane-operations.ts'
import type { PlaneAnswer } from '../../library/client/ask-plane.ts'
import { PetMockError } from '../../library/client/pet-mock-error.ts'
import { explainFileError, maxSnapshotBytes, readText, Unreadable } from '../../library/files/read-file.ts'
import { petStatuses } from '../../service/pets/pet.ts'
import { type CommandGroup, refuseUsage } from '../arguments/command.ts'
import { type Flags, flagGroup, type Parse, right, type ValuesOf, wrong } from '../arguments/flag.ts'
import {
  numberOf,
  readDurationFlag,
  readDurationText,
  readInstantText,
  readScale,
  wordOf,
} from '../arguments/flag-values.ts'
import { serveFlags } from '../arguments/serve-flags.ts'
import { loadFixtures } from '../start/load/load-from-flags.ts'
import { isFile, loadForServer } from '../start/load/load-scenario.ts'
import { typedPath } from '../start/load/loading.ts'
import { exitCodes } from '../terminal/io.ts'
import {
  type Cell,
  cell,
  formatPace,
  formatRefusals,
  listFacts,
  printable,
  tableLines,
  wrap,
} from '../terminal/text.ts'
import { planeCommand, type Session, serverCommand } from './server-command.ts'

/* The commands that show and change the state of a server: a row for each, and what prints the responses. */

type Painting = Pick<Session, 'paint'>

const options = flagGroup('Options:')

export const useScenario = serverCommand(
  'use [NAME|FILE]',
  'Switches a running server to another scenario, or shows the running one.',
  {
    flags: { fixtures: options.flag(serveFlags.fixtures) },
    examples: [
      ['$0 scenarios use', 'the running scenario'],
      ['$0 scenarios use ban', 'a shipped scenario'],
      ['$0 scenarios use mine.yaml --sandbox worker-3', 'your own file, in one sandbox'],
    ],
    notes: [
      'The scenario starts from its beginning: pets, counters, bans, clock and rules. Without --sandbox, it applies to the default sandbox and to sandboxes that are created later.',
      'If the server runs with --fixtures, give the same directory here: a scenario file may name keys of its keys.yaml.',
    ],
    act: async session => {
      const { words, values, ask, io } = session
      const [name] = words
      if (name === undefined) return show(session, await ask('getScenario'))
      const path = typedPath(name, io.env)
      if (!isFile(path)) return show(session, await ask('useScenario', { scenario: name }))
      const fixtures = await loadFixtures(values.fixtures, '--fixtures')
      const file = fixtures.ok ? await loadForServer(path, fixtures.value) : fixtures
      if (!file.ok) return refuseUsage(file.complaints, io)
      return show(session, await ask('useScenario', { scenario: file.value, name: path }))
    },
  },
)

const longestLine = 110

function show({ print, paint, io }: Session, state: PlaneAnswer<'getScenario'>): number {
  const width = Math.min(io.stdout.columns ?? longestLine, longestLine)
  print(state, ({ name, title, description, key }) => [
    `${paint('bold', printable(title))} ${paint('dim', `(${printable(name)})`)}  key ${printable(key)}`,
    ...wrap(printable(description ?? ''), width).map(line => paint('dim', line)),
  ])
  return exitCodes.fine
}

const ofClock = {
  notes: [
    'Limits, bans, expiry and removal dates follow the clock at once. No clock command but "pet-mock clock reset" moves the clock back. "pet-mock reset", "scenarios use" and "snapshot load" set it, too.',
  ],
  lines: ({ at, scale }: PlaneClock, { paint }: Painting) => {
    if (typeof at !== 'string' || typeof scale !== 'number') throw new TypeError('it has no time')
    return [`${paint('bold', at)}  ${formatPace({ scale })}`]
  },
}

export const clock: CommandGroup = {
  name: 'clock',
  about: 'Shows, moves, freezes and resumes the clock.',
  commands: [
    planeCommand('show', 'Shows the time on the clock, and whether it runs.', 'getClock', {
      isDefault: true,
      ...ofClock,
    }),
    planeCommand(
      'advance [DURATION]',
      'Moves the clock forward, by a duration or to an instant.',
      'advanceClock',
      {
        flags: {
          to: options.optional({
            value: 'ISO',
            about: 'an instant instead of a duration, such as 2030-12-05T00:00:00Z',
            parse: readInstantText,
          }),
        },
        examples: [
          ['$0 clock advance 60s', 'to the next minute window'],
          ['$0 clock advance --to 2030-12-05T00:00:00Z', 'to the removal of getPet'],
        ],
        ...ofClock,
        check: ([by], { to }) => checkAdvance(by, to),
        fields: ({ words: [by], values: { to } }) => ({ by, to }),
      },
    ),
    planeCommand('freeze [ISO]', 'Stops the clock, now or at a later instant.', 'freezeClock', {
      ...ofClock,
      check: ([at]) => checkWord('ISO', at, readInstantText),
      fields: ({ words: [at] }) => ({ at }),
    }),
    planeCommand('resume', 'Lets the clock run.', 'resumeClock', {
      flags: {
        scale: options.optional({
          value: 'N',
          about: 'the speed; at 30, a minute takes two seconds [1]',
          parse: readScale,
        }),
      },
      examples: [['$0 clock resume --scale 30', 'a minute takes two seconds']],
      ...ofClock,
      fields: ({ values: { scale } }) => ({ scale }),
    }),
    planeCommand('reset', 'Sets the clock back to the start of the scenario.', 'resetClock', ofClock),
  ],
}

function checkAdvance(by: string | undefined, to: string | undefined): readonly string[] {
  const expected = 'pet-mock clock advance 60s, or pet-mock clock advance --to 2030-12-05T00:00:00Z'
  if (by === undefined && to === undefined) return [`Expected: ${expected}`]
  if (by !== undefined && to !== undefined) return [`Give a duration or --to, not both: ${expected}`]
  if (by === undefined || parseDuration(by) !== undefined) return []
  if (/^\d+(\.\d+)?$/.test(by))
    return [`DURATION: ${by} has no unit. For seconds: pet-mock clock advance ${by}s`]
  if (parseInstant(by) !== undefined) return [`For an instant, use --to: pet-mock clock advance --to ${by}`]
  return checkWord('DURATION', by, readDurationFlag)
}

function checkWord(place: string, word: string | undefined, parse: Parse<unknown>): readonly string[] {
  const reading = word === undefined ? right(word) : parse(word)
  return reading.ok ? [] : reading.problems.map(problem => `${place}: ${problem}`)
}

const key = ({ words: [key] }: Session) => ({ key })

const ofKey = flagGroup('The key:', 'KEY_')
const calls = (about: string) => {
  const parse = numberOf(wholeNumbers('a whole number of calls', 0, Number.MAX_SAFE_INTEGER))
  return ofKey.optional({ value: 'N', about, parse })
}
const changeFlags = {
  plan: ofKey.text({ value: 'PLAN', about: 'the plan' }),
  'used-minute': calls('calls already used in this minute'),
  'used-day': calls('calls already used in this day'),
  'limit-minute': calls("the most calls in a minute, instead of the plan's"),
  'limit-day': calls("the most calls in a day, instead of the plan's"),
  revoked: ofKey.optional({
    value: 'true|false',
    about: 'whether it is revoked',
    parse: wordOf(['true', 'false']),
  }),
  expires: ofKey.optional({
    value: 'ISO|never',
    about: 'when it expires',
    parse: text => (text === 'never' ? right(text) : readInstantText(text)),
  }),
}

function countsOf(minute: number | undefined, day: number | undefined) {
  return minute === undefined && day === undefined ? undefined : { minute, day }
}

function checkAny(values: Readonly<Record<string, unknown>>, flags: Flags): readonly string[] {
  const names = Object.keys(flags)
  if (names.some(name => values[name] !== undefined)) return []
  return [`Expected at least one of ${names.map(name => `--${name}`).join(', ')}.`]
}

const keyLines = (state: PlaneKey, session: Session) => keyTable([state], session)

export const keys: CommandGroup = {
  name: 'keys',
  about: 'Lists, adds, changes, bans and deletes API keys.',
  commands: [
    planeCommand('list', 'Lists the API keys with their remaining calls and bans.', 'listKeys', {
      isDefault: true,
      lines: ({ keys }, session) => keyTable(keys, session),
    }),
    planeCommand('add NAME PLAN', 'Adds an API key.', 'addKey', {
      examples: [['$0 keys add my-app pro', '']],
      fields: ({ words: [key, plan] }) => ({ key, plan }),
      lines: keyLines,
    }),
    planeCommand('change KEY', 'Changes the plan, the used calls or the limits of an API key.', 'changeKey', {
      flags: changeFlags,
      examples: [
        ['$0 keys change demo-free --used-minute 59', 'one call left in this minute'],
        ['$0 keys change demo-free --plan pro', 'a larger plan'],
      ],
      check: (_words, values) => checkAny(values, changeFlags),
      fields: ({ words: [key], values }) => ({
        key,
        plan: values.plan,
        used: countsOf(values['used-minute'], values['used-day']),
        limits: countsOf(values['limit-minute'], values['limit-day']),
        revoked: values.revoked && values.revoked === 'true',
        expires: values.expires === 'never' ? null : values.expires,
      }),
      lines: keyLines,
    }),
    planeCommand('ban KEY', 'Bans an API key.', 'banKey', {
      flags: {
        for: flagGroup('Options:', 'BAN_').optional({
          value: 'DURATION',
          about: "how long, such as 2m [the scenario's ban duration]",
          parse: readDurationText,
        }),
      },
      examples: [['$0 keys ban demo-free --for 2m', '']],
      fields: ({ words: [key], values }) => ({ key, for: values.for }),
      lines: keyLines,
    }),
    planeCommand(
      'unban KEY',
      'Lifts the ban of an API key, and resets its count of refused calls.',
      'unbanKey',
      { fields: key, lines: keyLines },
    ),
    planeCommand('delete KEY', 'Deletes an API key: calls with it get 401.', 'deleteKey', {
      fields: key,
      lines: ({ key, plan }) => [`deleted ${printable(key)} (plan ${printable(plan)})`],
    }),
  ],
}

function keyTable(keys: readonly PlaneKey[], { paint, io }: Session): readonly string[] {
  const heads = ['key', 'plan', 'left this minute', 'left today']
  const rows = [heads.map((text, at) => cell(text, { style: 'dim', atRight: at > 1 })), ...keys.map(keyRow)]
  return tableLines(rows, paint, undefined, io.stdout.columns)
}

function keyRow(state: PlaneKey): readonly Cell[] {
  const { key, plan, limits, remaining, strikes, bannedUntil, revoked, expires } = state
  const left = (window: 'minute' | 'day') => {
    const text = `${groupDigits(remaining[window])}/${groupDigits(limits[window])}`
    return cell(text, { atRight: true, ...(remaining[window] === 0 && { style: 'magenta' }) })
  }
  const refusals = strikes === 0 ? '' : formatRefusals(strikes)
  const standing = listFacts([
    bannedUntil === null ? refusals : `banned until ${bannedUntil}`,
    revoked ? 'revoked' : '',
    expires === null ? '' : `expires ${expires}`,
  ])
  const [bold, yellow] = [{ style: 'bold' }, { style: 'yellow' }] as const
  return [cell(key, bold), cell(plan), left('minute'), left('day'), cell(standing, yellow)]
}

const which = flagGroup('Which pets:', 'PETS_')
const pet = flagGroup('The pet:', 'PET_')
const statuses = petStatuses.join('|')
const usualPets = 20

/** An int64 as its digits, which JSON clients send beyond 2^53. */
const readId: Parse<string> = text =>
  parseInt64(text) === undefined
    ? wrong(`expected a whole number of at most 64 bits, such as 5, found ${showValue(text)}`)
    : right(text)

const petFlags = {
  name: pet.text({ value: 'NAME', about: 'the name' }),
  'category-id': pet.optional({ value: 'ID', about: 'the category, which need not exist', parse: readId }),
}

const addFlags = {
  ...petFlags,
  status: pet.optional({ value: statuses, about: 'the status [none]', parse: wordOf(petStatuses) }),
}

const changedPet = {
  ...petFlags,
  status: pet.optional({
    value: `${statuses}|none`,
    about: 'the status, or none',
    parse: wordOf([...petStatuses, 'none']),
  }),
}

export const pets: CommandGroup = {
  name: 'pets',
  about: 'Lists, adds, changes and deletes pets.',
  commands: [
    planeCommand('list', 'Lists pets by ascending id. It uses no quota.', 'listPets', {
      isDefault: true,
      flags: {
        status: which.optional({ value: statuses, about: 'with this status', parse: wordOf(petStatuses) }),
        after: which.optional({ value: 'ID', about: 'with a greater id', parse: readId }),
        limit: options.optional({
          value: 'N',
          about: `show at most N [${usualPets}; with --json 1000]`,
          parse: numberOf(wholeNumbers('a number of pets from 1 to 100000', 1, 100_000)),
        }),
      },
      examples: [
        ['$0 pets --status sold', 'the first 20 sold pets'],
        ['$0 pets --after 20', 'the next page'],
      ],
      fields: ({ values: { status, after, json, limit = json ? undefined : usualPets } }) => ({
        status,
        after,
        limit,
      }),
      lines: ({ pets, total, more }, { values, paint }) => {
        const last = pets.at(-1)
        if (last === undefined && total === 0) return [paint('dim', 'The store has no pets.')]
        if (last === undefined)
          return [paint('dim', `None matches. The store has ${groupDigits(total)} pets.`)]
        const status = values.status === undefined ? '' : ` --status ${values.status}`
        const next = `${groupDigits(total)} pets in all. The next ones: pet-mock pets${status} --after ${last.id}`
        return [...petLines(pets, paint), ...(more ? [paint('dim', next)] : [])]
      },
    }),
    serverCommand('add [FILE]', 'Adds a pet, or the pets of a YAML or JSON file; - reads standard input.', {
      flags: addFlags,
      examples: [
        ['$0 pets add --name Rex --category-id 1 --status pending', 'a pet'],
        ['$0 pets add more.yaml', 'the pets of a file'],
      ],
      notes: ['The file has what a scenario file has under pets.add: a list of pets, or a single pet.'],
      check: checkAdd,
      act: addPets,
    }),
    planeCommand('change ID', 'Changes the given fields of a pet.', 'changePet', {
      flags: changedPet,
      examples: [['$0 pets change 5 --status sold', '']],
      check: (words, values) => [...checkWord('ID', words[0], readId), ...checkAny(values, changedPet)],
      fields: ({ words: [id], values: { name, status, 'category-id': categoryId } }) => ({
        id,
        name,
        categoryId,
        status: status === 'none' ? null : status,
      }),
      lines: (changed, { paint }) => petLines([changed], paint),
    }),
    planeCommand('delete ID', 'Deletes a pet. Its id is not used again.', 'deletePet', {
      examples: [['$0 pets delete 5', '']],
      check: ([id]) => checkWord('ID', id, readId),
      fields: ({ words: [id] }) => ({ id }),
      lines: ({ id, name }) => [`deleted ${id} (${name})`],
    }),
  ],
}

function checkAdd([file]: readonly string[], values: ValuesOf<typeof addFlags>): readonly string[] {
  const { name, status, 'category-id': category } = values
  const expected = 'pet-mock pets add --name Rex --category-id 1, or pet-mock pets add FILE'
  const given = [name, status, category].filter(value => value !== undefined).length
  if (file !== undefined) return given === 0 ? [] : [`Give a file or flags, not both: ${expected}`]
  return name === undefined || category === undefined ? [`Expected: ${expected}`] : []
}

async function addPets(session: Session<ValuesOf<typeof addFlags>>): Promise<number> {
  const { words, values, ask, io, print, paint } = session
  const { name, status, 'category-id': categoryId } = values
  const [path] = words
  const { readPets } = await import('./add-from-file.ts')
  const reading =
    path === undefined ? { ok: true as const, value: [{ name, categoryId, status }] } : await readPets(path)
  if (!reading.ok) return refuseUsage(reading.complaints, io)
  const added: PlanePet[] = []
  for (const pet of reading.value) {
    try {
      added.push(await ask('addPet', pet))
    } catch (error) {
      if (!(error instanceof PetMockError) || added.length === 0) throw error
      throw new PetMockError(error.code, `${error.message} Added before: ${groupDigits(added.length)} pets.`)
    }
  }
  const [only] = added
  print(only !== undefined && added.length === 1 ? only : { pets: added }, () => petLines(added, paint))
  return exitCodes.fine
}

function petLines(pets: readonly PlanePet[], paint: Session['paint']): readonly string[] {
  const rows = pets.map(({ id, name, categoryId, status, extra }) => [
    cell(id, { atRight: true }),
    cell(name, { style: 'bold' }),
    cell(`category ${categoryId}`, { style: 'dim' }),
    cell(status ?? 'no status', status === undefined ? { style: 'dim' } : {}),
    ...(extra === undefined ? [] : [cell(JSON.stringify(extra), { style: 'dim' })]),
  ])
  return tableLines(rows, paint)
}

export const rules: CommandGroup = {
  name: 'rules',
  about: 'Lists, adds, changes and deletes rules that inject faults.',
  commands: [
    planeCommand(
      'list',
      'Lists the rules in the order of their evaluation, with what each did.',
      'listRules',
      { isDefault: true, lines: ruleLines },
    ),
    serverCommand(
      'add FILE',
      'Adds the rules of a YAML or JSON file before all others; - reads standard input.',
      {
        examples: [
          ['$0 rules add failing.yaml', 'the rules of a file'],
          ["echo '{ then: { status: 503 } }' | $0 rules add -", 'a single rule'],
        ],
        notes: [
          'The file has what a scenario file has under rules: a list of rules, a single rule, or a map with rules. The first rule that matches acts. A rule replaces one with the same name.',
        ],
        act: async session => {
          const { addRules } = await import('./add-from-file.ts')
          return addRules(session, rules => session.print({ rules }, ruleLines))
        },
      },
    ),
    planeCommand(
      'change NAME',
      'Switches a rule on or off. It keeps its place, its counts and its time.',
      'changeRule',
      {
        flags: {
          on: options.toggle({ about: 'the rule acts again' }),
          off: options.toggle({ about: 'the rule acts on no call' }),
        },
        examples: [['$0 rules change outage --off', '']],
        check: (_words, { on, off }) => (on === off ? ['Expected --on or --off.'] : []),
        fields: ({ words: [name], values: { on } }) => ({ name, on }),
        lines: (rule, session) => ruleLines({ rules: [rule] }, session),
      },
    ),
    planeCommand('delete NAME', 'Deletes a rule.', 'deleteRule', {
      examples: [['$0 rules delete outage', '']],
      fields: ({ words: [name] }) => ({ name }),
      lines: ({ name, acted }) => [`deleted ${printable(name)}  ${actedTimes(acted)}`],
    }),
  ],
}

function ruleLines({ rules }: PlaneAnswer<'listRules'>, { paint }: Painting): readonly string[] {
  if (rules.length === 0) return [paint('dim', 'There are no rules.')]
  return rules.flatMap(({ name, rule: { name: _name, ...rule }, on, acted, added, retired }) => {
    const facts = [actedTimes(acted), on ? '' : 'off', added ? 'added' : '', retired ? 'retired' : '']
    const head = `${paint('bold', printable(name))}  ${listFacts(facts)}`
    return [head, paint('dim', `  ${printable(showFlow(rule))}`)]
  })
}

function actedTimes(acted: number): string {
  return acted === 0 ? 'never acted' : `acted ${formatTimes(acted)}`
}

export const reset = planeCommand(
  'reset',
  'Restarts the scenario: pets, counters, bans, clock and rules.',
  'reset',
  {
    notes: ['It also empties the journal.'],
    examples: [["$0 reset --sandbox '*'", 'all sandboxes']],
    lines: sandboxLines('reset'),
  },
)

export const snapshot: CommandGroup = {
  name: 'snapshot',
  about: 'Saves the state to a file, and restores it.',
  commands: [
    serverCommand('save [FILE]', 'Saves the state of the sandbox to a file, which it replaces.', {
      examples: [
        ["$0 snapshot save all.json --sandbox '*'", 'all sandboxes'],
        ['$0 snapshot save', 'now, to the file of --state'],
      ],
      notes: [
        'Without FILE, it saves the file of --state, and returns when the effects of all earlier calls are on disk.',
      ],
      act: save,
    }),
    serverCommand('load FILE', 'Restores the state from a file, completely or not at all.', {
      notes: ["A snapshot of all sandboxes needs --sandbox '*', and replaces all sandboxes."],
      act: load,
    }),
  ],
}

export const saveBox = serverCommand(
  'save FILE',
  'Saves the run of a server so far to a file, which it replaces.',
  {
    examples: [['$0 box save run.petbox', 'of a server that runs with --box']],
    act: async session => {
      const [path = ''] = session.words
      const { fetchBox } = await import('./follow-requests.ts')
      try {
        session.print(await fetchBox(session, path), fileLines('saved'))
        return exitCodes.fine
      } catch (error) {
        if (error instanceof PetMockError) throw error
        return refuseUsage([`${path} cannot be written (${explainFileError(error)})`], session.io)
      }
    },
  },
)

export const sandboxes: CommandGroup = {
  name: 'sandboxes',
  about: 'Lists and deletes sandboxes.',
  commands: [
    planeCommand('list', 'Lists the sandboxes, the default one first.', 'listSandboxes', {
      isDefault: true,
      lines: sandboxLines(''),
    }),
    serverCommand('delete NAME', 'Deletes a sandbox. The default one restarts.', {
      examples: [['$0 sandboxes delete worker-3', '']],
      act: async ({ words: [sandbox], ask, print }) =>
        print(await ask('deleteSandbox', undefined, { sandbox }), () => [`deleted ${sandbox}`]),
    }),
  ],
}

/** A line for each sandbox. `done`: what the command did to it, such as `reset`. */
function sandboxLines(done: string) {
  return ({ sandboxes }: PlaneAnswer<'reset'>, { paint }: Painting) =>
    tableLines(
      sandboxes.map(({ name, scenario, clock, pets, keys }) => [
        ...(done === '' ? [] : [cell(done, { style: 'green' })]),
        cell(name, { style: 'bold' }),
        cell(scenario),
        cell(`${groupDigits(pets)} pets`, { atRight: true }),
        cell(`${groupDigits(keys)} keys`, { atRight: true }),
        cell(`${clock.at}, ${formatPace(clock)}`, { style: 'dim' }),
      ]),
      paint,
    )
}

function fileLines(done: string) {
  return ({ file, bytes }: PlaneAnswer<'saveState'>, { paint }: Painting) => [
    `${paint('green', done)} ${printable(file)}  ${paint('dim', `${groupDigits(bytes)} bytes`)}`,
  ]
}

async function save(session: Session): Promise<number> {
  const { ask, askAsIs, words, io } = session
  const [path] = words
  if (path === undefined) {
    session.print(await ask('saveState'), fileLines('saved'))
    return exitCodes.fine
  }
  const text = `${JSON.stringify(await askAsIs('saveSnapshot'))}\n`
  const { writeWholeFile } = await import('../start/state/write-whole-file.ts')
  try {
    await writeWholeFile(path, `${path}.${io.pid}.tmp`, () => [text])
  } catch (error) {
    return refuseUsage([`${path} cannot be written (${explainFileError(error)})`], io)
  }
  const bytes = Buffer.byteLength(text)
  session.print({ file: path, bytes }, fileLines('wrote'))
  const { snapshotLimit } = await ask('getHealth', {}, { sandbox: undefined })
  if (snapshotLimit !== undefined && bytes > snapshotLimit)
    io.stderr.write(
      `This server loads at most ${formatSize(snapshotLimit)}. To load this snapshot, start pet-mock with --snapshot-limit ${Math.ceil(bytes / 2 ** 20)}MB.\n`,
    )
  return exitCodes.fine
}

async function load(session: Session): Promise<number> {
  const { words, io, ask, print } = session
  const [path = ''] = words
  const refuse = (problem: string) => refuseUsage([`${path} ${problem}`], io)
  const text = await readText(path, maxSnapshotBytes).catch((error): Unreadable | NotText => {
    if (error instanceof Unreadable || error instanceof NotText) return error
    throw error
  })
  if (text instanceof Unreadable) return refuse(`cannot be read (${text.message})`)
  const reading = text instanceof NotText ? { problem: text.message } : readJson(text)
  if ('problem' in reading) return refuse(`is not JSON: ${reading.problem}`)
  print(await ask('loadSnapshot', reading.value), sandboxLines('loaded'))
  return exitCodes.fine
}
