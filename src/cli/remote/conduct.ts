import { conductIds } from '../../judges/conduct/checks.ts'
import { expectedCheck } from '../../judges/conduct/expected.ts'
import { reportFlags, unknownIds } from '../arguments/report-flags.ts'
import { jsonLine } from '../terminal/json-line.ts'
import { otherSandboxes } from './requests.ts'
import { serverCommand } from './server-command.ts'

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
      'It judges the requests in the journal, which keeps the last 1,000 of each sandbox unless the server has --journal. pet-mock exec judges all requests.',
      'Exit codes: 0 no findings that --fail-on names, 1 such findings, 2 wrong usage, 3 no server found.',
    ],
    check: (_words, values) => unknownIds(values['fail-on'], [...conductIds, expectedCheck.id]),
    act: async session => {
      const { values, ask, io, paint } = session
      const { report: files, 'fail-on': failOn, json } = values
      const answer = await ask('getConduct', { flights: files.length > 0 })
      // An older server has no such list.
      const report = { ...answer, unjudged: answer.unjudged ?? [] }
      if (json) io.stdout.write(`${jsonLine(report)}\n`)
      const { writeReports } = await import('../reports/write-reports.ts')
      const exitCode = await writeReports(
        [report],
        { failOn, files, to: json ? undefined : io.stdout, command: 'pet-mock conduct' },
        io,
      )
      for (const line of await otherSandboxes(session)) io.stdout.write(`${paint('dim', line)}\n`)
      return exitCode
    },
  },
)
