import type { ConductReport } from '../conduct/conduct-report.ts'
import { conductIds } from '../conduct/rules.ts'
import { conductFlags } from './conduct.ts'
import { jsonLine } from './json-line.ts'
import { onServer } from './on-server.ts'
import { unknownIds } from './report-flags.ts'
import { tellReports } from './tell-reports.ts'

export const run = onServer(conductFlags, {
  check: (_words, values) => unknownIds(values['fail-on'], conductIds),
  act: async ({ values, json, ask, io }) => {
    const { report: files, 'fail-on': failOn } = values
    const report = await ask<ConductReport>('GET', '/conduct', undefined, { flights: files.length > 0 })
    if (json) io.stdout.write(`${jsonLine(report)}\n`)
    return tellReports([report], { failOn, files, to: json ? undefined : io.stdout }, io)
  },
})
