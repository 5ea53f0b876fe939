import { wholeNumbers } from '../../base/text/constraint.ts'
import { groupDigits } from '../../base/text/quantities.ts'
import { conductIds } from '../../judges/conduct/checks.ts'
import { expectedCheck } from '../../judges/conduct/expected.ts'
import type { Report } from '../../judges/report/report.ts'
import type { PlaneAnswer, RequestList } from '../../library/client/ask-plane.ts'
import { PetMockError } from '../../library/client/pet-mock-error.ts'
import { operationIds } from '../../service/operations/operations.ts'
import type { CommandGroup } from '../arguments/command.ts'
import { flagGroup, right, type ValuesOf } from '../arguments/flag.ts'
import { numberOf } from '../arguments/flag-values.ts'
import { reportFlags, unknownIds } from '../arguments/report-flags.ts'
import { createRequestLines } from '../log/request-lines.ts'
import { cell, jsonLine, tableLines, wrap } from '../terminal/text.ts'
import { planeCommand, type Session, serverCommand } from './server-command.ts'

const which = flagGroup('Which requests:', 'REQUESTS_')
const options = flagGroup('Options:')

/** The server checks the value of a filter. */
function filter(value: string, about: string, spell = (text: string) => text) {
  return which.optional<string>({ value, about, parse: text => right(spell(text)) })
}

const filterFlags = {
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

const explainFlags = {
  'show-keys': options.toggle({ about: 'show API keys in full instead of as demo-f…' }),
}

const listFlags = {
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

export const requests: CommandGroup = {
  name: 'requests',
  about: 'Lists and explains the requests that the server received.',
  commands: [
    serverCommand('list', 'Lists the requests in the journal, newest last.', {
      isDefault: true,
      flags: listFlags,
      examples: [
        ['$0 requests --status 429 --follow', 'each refused request, as it arrives'],
        ["$0 requests --sandbox '*' --since 30s", 'the requests of the last 30 s, in all sandboxes'],
      ],
      act: listRequests,
    }),
    serverCommand('explain [ID]', 'Explains the response to a request, or to the newest request.', {
      flags: explainFlags,
      examples: [['$0 requests explain 17', '']],
      check: ([id]) =>
        id === undefined || /^[0-9]{1,15}$/.test(id)
          ? []
          : [
              `ID: expected a request number such as 17, found ${JSON.stringify(id)}; pet-mock requests lists them`,
            ],
      act: explainRequest,
    }),
    planeCommand(
      'clear',
      'Deletes all requests of the journal. New requests continue the numbers.',
      'clearRequests',
      {
        lines: (_cleared, { values: { sandbox = 'default' } }) => [
          `cleared the requests of ${sandbox === '*' ? 'all sandboxes' : `the sandbox ${sandbox}`}`,
        ],
      },
    ),
  ],
}

const usualLimit = 20

async function listRequests(session: Session<ValuesOf<typeof listFlags>>): Promise<void> {
  const { values, ask, print, paint, io } = session
  const filters = Object.entries(values).filter(
    ([name, value]) => Object.hasOwn(filterFlags, name) && value !== undefined && value !== false,
  )
  const query = { ...Object.fromEntries(filters), ...(values['show-keys'] && { keys: 'shown' }) }
  const limit = values.limit ?? (values.json ? undefined : usualLimit)
  const toLines = createRequestLines(paint, io.stdout.columns, values.sandbox === '*')
  if (values.follow) {
    const { follow } = await import('./follow-requests.ts')
    return await follow(session, query, limit, toLines)
  }
  const list = await ask('listRequests', { ...query, limit })
  const others = await otherSandboxes(session)
  print(list, ({ requests, meta }) => [
    ...toLines(requests),
    ...(requests.length === meta.total && requests.length > 0 ? [] : [paint('dim', describeCounts(list))]),
    ...others.map(line => paint('dim', line)),
  ])
}

function describeCounts({ requests, meta: { total, kept, evicted } }: RequestList): string {
  const gone = evicted === 0 ? '' : `; the journal dropped ${groupDigits(evicted)} older ones`
  if (total > 0)
    return `The newest ${groupDigits(requests.length)} of ${groupDigits(total)}; --limit N shows more${gone}.`
  if (kept === 0) return `The journal has no requests${gone}.`
  const what =
    kept === 1 ? 'The only request does not match' : `None of the ${groupDigits(kept)} requests matches`
  return `${what}${gone}.`
}

const maxWidth = 100

async function explainRequest(session: Session<ValuesOf<typeof explainFlags>>): Promise<void> {
  const { values, words, ask, print, paint, io } = session
  const id = words[0] ?? (await newestId(session))
  const others = words[0] === undefined ? await otherSandboxes(session, true) : []
  const { columns } = io.stdout
  const explained = await ask('getRequest', { id, ...(values['show-keys'] && { keys: 'shown' }) })
  print(explained, ({ explanation: { sentences, mismatches }, ...request }) => [
    ...createRequestLines(paint, columns, false)([request]),
    '',
    ...sentences.flatMap(sentence => wrap(sentence, Math.min(maxWidth, columns ?? maxWidth))),
    ...(mismatches.length === 0 ? [] : mismatchTable(mismatches, paint)),
    ...(request.code === null ? [] : ['', paint('dim', 'More: docs/errors.md')]),
    ...others.map(line => paint('dim', line)),
  ])
}

async function newestId(session: Session): Promise<number> {
  const [newest] = (await session.ask('listRequests', { limit: 1 })).requests
  if (newest !== undefined) return newest.id
  const problem = 'There is nothing to explain: the journal has no requests.'
  throw new PetMockError('not_found', [problem, ...(await otherSandboxes(session, true))].join(' '))
}

function mismatchTable(
  mismatches: PlaneAnswer<'getRequest'>['explanation']['mismatches'],
  paint: Session['paint'],
): readonly string[] {
  const head = ['', 'asked', 'expected'].map(title => cell(title, { style: 'dim' }))
  const rows = mismatches.map(({ what, asked, expected }) => [
    cell(what, { style: 'bold' }),
    cell(asked, { style: 'yellow' }),
    cell(expected, { style: 'green' }),
  ])
  return ['', ...tableLines([head, ...rows], paint)]
}

/** A line about requests in sandboxes that a command without --sandbox leaves out. `isOne`: the command takes one name. */
async function otherSandboxes({ values, ask }: Session, isOne = false): Promise<readonly string[]> {
  if (values.json || values.sandbox !== undefined) return []
  const { sandboxes } = await ask('listSandboxes').catch((error): PlaneAnswer<'listSandboxes'> => {
    // A proxy has no sandboxes.
    if (error instanceof PetMockError) return { sandboxes: [] }
    throw error
  })
  const others = sandboxes.filter(({ name, requests }) => name !== 'default' && requests > 0)
  const [first] = others
  if (first === undefined) return []
  const isSingle = others.length === 1
  const count = isSingle ? '1 more sandbox has' : `${groupDigits(others.length)} more sandboxes have`
  const name = isSingle ? first.name : 'NAME'
  return [`${count} requests: --sandbox ${isOne ? name : "'*'"}`]
}

export const conduct = serverCommand(
  'conduct',
  'Reports how clients behaved: early retries, bans and more.',
  {
    flags: reportFlags,
    examples: [
      ['$0 conduct --report conduct.html', 'with a report that has a chart of the calls'],
      ["$0 conduct --sandbox '*' --fail-on warning", 'all sandboxes; warnings also lead to exit code 1'],
    ],
    notes: [
      'It judges the requests in the journal: at most the last 1,000 of each sandbox, and 64 MB in all. To keep more, start the server with a larger --journal. pet-mock exec judges all requests.',
      'Exit codes: 0 no findings that --fail-on names, 1 such findings, 2 wrong usage, 3 no server found.',
    ],
    check: (_words, values) => unknownIds(values['fail-on'], [...conductIds, expectedCheck.id]),
    act: async session => {
      const { values, ask, io, paint } = session
      const { report: files, 'fail-on': failOn, json } = values
      const answer = await ask('getConduct', { flights: files.length > 0 })
      // An older server has no such list.
      const report = { ...answer, unjudged: answer.unjudged ?? [] } as Report
      if (json) io.stdout.write(`${jsonLine(report)}\n`)
      const { writeReports } = await import('../reports/write-reports.ts')
      const to = json ? undefined : io.stdout
      const about = { failOn, files, to, command: 'pet-mock conduct' }
      const exitCode = await writeReports([report], about, io)
      for (const line of await otherSandboxes(session)) io.stdout.write(`${paint('dim', line)}\n`)
      return exitCode
    },
  },
)
