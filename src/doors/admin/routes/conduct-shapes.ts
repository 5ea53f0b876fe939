import * as z from 'zod'
import type { ConductReport, KeyUsage } from '../../../judges/conduct/conduct-report.ts'
import { type Evidence, type Finding, severities } from '../../../judges/report/finding.ts'
import type { Flight, FlightCall } from '../../../judges/report/flight.ts'
import { countView, instantView, textView as text } from '../routing/shapes.ts'

/* The conduct report. These schemas describe answers; nothing is checked by them. */

const evidenceFields = {
  what: text('The call and its answer.'),
  detail: text('The reason why it counts.'),
  count: countView('Number of similar calls. Default: 1.').optional(),
  at: instantView('Time on the emulator’s clock.').optional(),
  request: z.int().min(1).meta({ description: 'Id in the journal.' }).optional(),
  sandbox: z.string().optional(),
  caller: text('The key, masked.').optional(),
  curl: text('A shell command that repeats the call.').optional(),
} satisfies Record<keyof Evidence, z.ZodType>

const findingFields = {
  id: z.string().meta({ examples: ['early-retry'] }),
  severity: z.enum(severities),
  title: text('The finding, with its numbers.'),
  remedy: text('How to fix it.'),
  source: text('The source of the check, such as an RFC.'),
  count: countView('Number of occurrences.'),
  evidence: z.array(z.strictObject(evidenceFields)).meta({ description: 'The first occurrences.' }),
} satisfies Record<keyof Finding, z.ZodType>

const left = z
  .array(z.int())
  .meta({ description: 'Calls left in the window after the call, and its limit.', examples: [[59, 60]] })

const milliseconds = () => z.number().meta({ description: 'Milliseconds since the epoch.' })

const callFields = {
  at: milliseconds(),
  status: z.int(),
  left: z.strictObject({ minute: left, day: left }).nullable(),
} satisfies Record<keyof FlightCall, z.ZodType>

const flightFields = {
  title: text('The caller.'),
  calls: z.array(z.strictObject(callFields)),
  spans: z
    .array(z.strictObject({ kind: z.enum(['wait', 'ban']), from: milliseconds(), to: milliseconds() }))
    .meta({ description: 'When the caller had to wait, and when its key was banned.' }),
  omitted: countView('Earlier calls that the chart leaves out.'),
} satisfies Record<keyof Flight, z.ZodType>

const peak = z
  .strictObject({
    used: countView('The most calls used in one window.'),
    limit: countView('The quota of the window.'),
    wanted: countView('The quota that would have accepted every call.'),
  })
  .meta({ id: 'WindowPeak' })

const usageFields = {
  key: text('The key, masked.'),
  plan: z.string().nullable(),
  calls: countView('Calls with the key.'),
  refused: countView('Calls that a limit or a ban refused.'),
  peak: z.strictObject({ minute: peak, day: peak }),
  smallestPlan: z
    .string()
    .nullable()
    .meta({ description: 'The smallest plan that would have accepted every call; null: none.' }),
} satisfies Record<keyof KeyUsage, z.ZodType>

const reportFields = {
  judge: z.literal('conduct'),
  title: z.string(),
  checks: z
    .array(z.strictObject({ id: z.string(), title: z.string() }))
    .meta({ description: 'Every check that ran.' }),
  findings: z
    .array(z.strictObject(findingFields).meta({ id: 'Finding' }))
    .meta({ description: 'The most severe first.' }),
  facts: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  notes: z.array(z.string()).meta({ description: 'Restrictions of the report, such as missing calls.' }),
  flights: z
    .array(z.strictObject(flightFields).meta({ id: 'Flight' }))
    .meta({ description: 'The data of the charts; empty unless requested.' }),
  calls: countView('Number of judged calls.'),
  usage: z
    .array(z.strictObject(usageFields).meta({ id: 'KeyUsage' }))
    .meta({ description: 'By key, over all sandboxes.' }),
} satisfies Record<keyof ConductReport, z.ZodType>

export const conductReport = z.strictObject(reportFields).meta({ id: 'Conduct' })
