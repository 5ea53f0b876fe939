import * as z from 'zod'
import type { ConductReport, KeyUsage } from '../../../judges/conduct/conduct-report.ts'
import { type Evidence, type Finding, severities } from '../../../judges/report/finding.ts'
import type { Flight, FlightCall } from '../../../judges/report/flight.ts'
import { countView, instantView } from '../routing/shapes.ts'

/* What is told of conduct. These describe what is sent, and check nothing. */

const text = (description: string) => z.string().meta({ description })

const evidenceFields = {
  what: text('The call and its answer.'),
  detail: text('What about it.'),
  count: countView('For how many calls it stands; without it, for one.').optional(),
  at: instantView('On the emulator’s clock.').optional(),
  request: z.int().min(1).meta({ description: 'Its id in the journal.' }).optional(),
  sandbox: z.string().optional(),
  caller: text('The key, masked.').optional(),
  curl: text('A line for a shell that shows it again.').optional(),
} satisfies Record<keyof Evidence, z.ZodType>

const findingFields = {
  id: z.string().meta({ examples: ['early-retry'] }),
  severity: z.enum(severities),
  title: text('What was found, with its numbers.'),
  remedy: text('What to do about it.'),
  source: text('Where the rule is from.'),
  count: countView('How often it was seen.'),
  evidence: z.array(z.strictObject(evidenceFields)).meta({ description: 'The first calls that show it.' }),
} satisfies Record<keyof Finding, z.ZodType>

const left = z
  .array(z.int())
  .meta({ description: 'What the window had left after the call, and its limit.', examples: [[59, 60]] })

const milliseconds = () => z.number().meta({ description: 'Milliseconds since the epoch.' })

const callFields = {
  at: milliseconds(),
  status: z.int(),
  left: z.strictObject({ minute: left, day: left }).nullable(),
} satisfies Record<keyof FlightCall, z.ZodType>

const flightFields = {
  title: text('Whose it is.'),
  calls: z.array(z.strictObject(callFields)),
  spans: z
    .array(z.strictObject({ kind: z.enum(['wait', 'ban']), from: milliseconds(), to: milliseconds() }))
    .meta({ description: 'When it was told to wait, and when its key was banned.' }),
  omitted: countView('Earlier calls that are not in it.'),
} satisfies Record<keyof Flight, z.ZodType>

const peak = z
  .strictObject({
    used: countView('The most that was used of the window.'),
    limit: countView('How many calls it takes.'),
    wanted: countView('How many it would have had to take, had nothing been refused.'),
  })
  .meta({ id: 'WindowPeak' })

const usageFields = {
  key: text('Masked.'),
  plan: z.string().nullable(),
  calls: countView('How many it made.'),
  refused: countView('How many of them a limit or a ban refused.'),
  peak: z.strictObject({ minute: peak, day: peak }),
  smallestPlan: z
    .string()
    .nullable()
    .meta({ description: 'The smallest plan that would have served all calls; null: none would.' }),
} satisfies Record<keyof KeyUsage, z.ZodType>

const reportFields = {
  judge: z.literal('conduct'),
  title: z.string(),
  checks: z
    .array(z.strictObject({ id: z.string(), title: z.string() }))
    .meta({ description: 'Every rule that was looked at.' }),
  findings: z
    .array(z.strictObject(findingFields).meta({ id: 'Finding' }))
    .meta({ description: 'The worst first.' }),
  facts: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  notes: z.array(z.string()).meta({ description: 'What limits the report: that it is partial, for one.' }),
  flights: z
    .array(z.strictObject(flightFields).meta({ id: 'Flight' }))
    .meta({ description: 'What pictures are drawn from; none, unless they are asked for.' }),
  calls: countView('How many were judged.'),
  usage: z
    .array(z.strictObject(usageFields).meta({ id: 'KeyUsage' }))
    .meta({ description: 'By key, over the sandboxes.' }),
} satisfies Record<keyof ConductReport, z.ZodType>

export const conductReport = z.strictObject(reportFields).meta({ id: 'Conduct' })
