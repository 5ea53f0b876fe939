import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { openPage } from '../support/browser.ts'
import { directoryWith } from '../support/directory.ts'
import { runCommand } from '../support/run-command.ts'
import { type Program, programs, wordsOf } from './programs.ts'

/* Rehearsals of real clients, through the command, and their certificates in a real browser. */

/** No RFC allows its headers. ky 1.14 hangs: it reads `Retry-After: soon` as NaN, and then waits for its maximum of 25 days. */
const hostile = 'retry-after-hostile'

interface Rehearsed {
  readonly code: number | null
  /** The ids of the reasons, by situation. */
  readonly failures: Readonly<Record<string, readonly string[]>>
  /** HTML. */
  readonly certificate: string
  readonly told: string
}

const rehearsals = new Map<string, Promise<Rehearsed>>()

/** Each client is rehearsed once. */
function rehearse(program: Program): Promise<Rehearsed> {
  const known = rehearsals.get(program) ?? run(program)
  rehearsals.set(program, known)
  return known
}

async function run(program: Program): Promise<Rehearsed> {
  const folder = directoryWith({})
  const [known, html] = [join(folder, 'known.json'), join(folder, 'certificate.html')]
  // Delays are not scaled, and no refused client is refused for them.
  const skipped = program === 'ky' || program === 'got' ? hostile : `${hostile},slow,slow-body`
  const { code, stdout, stderr } = await runCommand(
    ['rehearse', '--jobs', '2', '--skip', skipped, '--write-baseline', known, '--report', html].concat(
      '--',
      wordsOf(program),
    ),
    // Date.parse of JavaScript takes the date of asctime() for local time.
    { env: { TZ: 'UTC' } },
  )
  const { situations }: { situations: Readonly<Record<string, { readonly reasons: readonly string[] }>> } =
    JSON.parse(readFileSync(known, 'utf8'))
  const failures = Object.fromEntries(
    Object.entries(situations).map(([name, { reasons }]) => [name, reasons]),
  )
  return { code, failures, certificate: readFileSync(html, 'utf8'), told: stdout + stderr }
}

const limits = [
  'ban',
  'ban-escalation',
  'clock-skew',
  'clock-skew-behind',
  'daily-limit',
  'downgrade',
  'midnight',
  'plan-upgrade',
  'rate-limit-exhaustion',
  'retry-after',
  'retry-after-zoo',
  'shared-key',
]

describe('clients that pass', { timeout: 180_000 }, () => {
  test.each(['ky', 'got'] as const)('%s with right settings, in all legal situations', async program => {
    const { code, failures, told } = await rehearse(program)
    expect(failures, told).toEqual({})
    expect(code).toBe(0)
  })
})

describe('clients that are refused', { timeout: 180_000 }, () => {
  test('seconds that are read as milliseconds: it retries too early, wherever there is a limit', async () => {
    const { code, failures, told } = await rehearse('milliseconds')
    expect(code, told).toBe(1)
    expect(Object.keys(failures)).toEqual(limits)
    for (const reasons of Object.values(failures)) {
      expect(reasons).toSatisfy(
        (ids: string[]) => ids.includes('early-retry') || ids.includes('call-during-ban'),
      )
      expect(['banned', 'call-during-ban', 'early-retry', 'exit-code', 'recovery']).toEqual(
        expect.arrayContaining([...reasons]),
      )
    }
  })

  test('a loop of bare fetch: it is banned, wherever there is a limit, and does not stop', async () => {
    const { code, failures, told } = await rehearse('bare-fetch')
    expect(code, told).toBe(1)
    // Here it depends on the speed of the machine whether its retries use up the quota.
    const { outage: _, 'lost-reply': __, ...others } = failures
    // Midnight lies 20 seconds of the fast clock ahead: a client that is held up meets no limit before it.
    expect(Object.keys({ midnight: [], ...others }).sort()).toEqual([...limits].sort())
    for (const reasons of Object.values(others)) {
      expect(reasons).toSatisfy((ids: string[]) => ids.includes('banned') || ids.includes('call-during-ban'))
      expect(['banned', 'call-during-ban', 'early-retry', 'exit-code', 'recovery']).toEqual(
        expect.arrayContaining([...reasons]),
      )
    }
  })

  test('axios-retry with its defaults: it creates a pet twice, and gives up when a POST is refused', async () => {
    const { code, failures, told } = await rehearse('axios-retry')
    expect(code, told).toBe(1)
    const givesUp = ['exit-code', 'recovery']
    // In these two it depends on the time whether a POST is refused or a GET.
    const { 'shared-key': key = givesUp, 'retry-after-zoo': zoo = givesUp, ...others } = failures
    expect([key, zoo, others]).toEqual([
      givesUp,
      givesUp,
      { 'ban-escalation': givesUp, 'lost-reply': ['duplicate-create'] },
    ])
  })
})

describe('clients of few calls', { timeout: 180_000 }, () => {
  const needMore = ['large-store', 'not-found', 'orders', 'pagination', 'unauthorized', 'validation-errors']

  test.each([
    ['list create get', needMore],
    ['list list list', ['after-removal', 'brownout', 'deprecated-get-pet', 'lost-reply', ...needMore]],
    ['list list', ['after-removal', 'brownout', 'deprecated-get-pet', 'lost-reply', ...needMore]],
  ])('%s: meets every situation that needs no other call', async (calls, unmet) => {
    const cwd = directoryWith({})
    const client = fileURLToPath(new URL('programs/few-calls.js', import.meta.url))
    const words = ['--', process.execPath, client, ...calls.split(' ')]
    const { stdout, stderr } = await runCommand(['rehearse', '--report', 'c.json', ...words], {
      cwd,
      env: { TZ: 'UTC' },
    })
    const { situations } = JSON.parse(readFileSync(join(cwd, 'c.json'), 'utf8'))
    const found = situations.flatMap((one: { name: string; result: string }) =>
      one.result === 'not-met' ? [one.name] : [],
    )
    // A brownout is a time: it depends on the speed of the machine whether a client of one GET calls in it.
    const isByChance = (name: string) => name === 'brownout' && calls.includes('get')
    expect(
      found.filter((name: string) => !isByChance(name)),
      stdout + stderr,
    ).toEqual(unmet.toSorted())
  })
})

/** What is wrong with a certificate on a screen: errors in the console, and what is wider than the screen. */
async function lookAt(page: Page, certificate: string, colorScheme: 'light' | 'dark', width: number) {
  const errors: string[] = []
  page.on('console', message => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', error => errors.push(error.message))
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width, height: 900 })
  await page.goto(
    pathToFileURL(join(directoryWith({ 'certificate.html': certificate }), 'certificate.html')).href,
  )
  const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  return { errors, isTooWide: wider > 0 }
}

describe('their certificates in Chromium', { timeout: 180_000 }, () => {
  test.for(programs)('%s', async (program, context) => {
    const { certificate } = await rehearse(program)
    const page = await openPage(context)
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1280, 360])
        expect(await lookAt(page, certificate, colorScheme, width)).toEqual({ errors: [], isTooWide: false })
  })
})
