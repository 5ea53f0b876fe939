import { conductIds } from '../../judges/conduct/checks.ts'
import type { ConductReport } from '../../judges/conduct/conduct-report.ts'
import { unknownIds } from '../arguments/report-flags.ts'
import { tellReports } from '../reports/write-reports.ts'
import { jsonLine } from '../terminal/json-line.ts'
import { conductFlags } from './conduct.ts'
import { onServer } from './on-server.ts'

export const run = onServer(conductFlags, {
  check: (_words, values) => unknownIds(values['fail-on'], conductIds),
  act: async ({ values, json, ask, io }) => {
    const { report: files, 'fail-on': failOn } = values
    const report = await ask<ConductReport>('GET', '/conduct', undefined, { flights: files.length > 0 })
    if (json) io.stdout.write(`${jsonLine(report)}\n`)
    return tellReports([report], { failOn, files, to: json ? undefined : io.stdout }, io)
  },
})
