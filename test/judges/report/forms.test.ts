import { describe, expect, test } from 'vitest'
import { reportLines, verdictLines } from '../../../src/cli/reports/write-reports.ts'
import { writeAnnotations } from '../../../src/judges/report/annotations.ts'
import { describeFlight, drawFlight } from '../../../src/judges/report/draw-flight.ts'
import { defaultFailOn, type Finding, failsOn } from '../../../src/judges/report/finding.ts'
import { writeShape } from '../../../src/judges/report/markup.ts'
import { countFindings, type Report } from '../../../src/judges/report/report.ts'
import { settleChecks, shownFindings } from '../../../src/judges/report/unjudged.ts'
import { writeMarkdown, writeReport } from '../../../src/judges/report/write-report.ts'
import { openPage as open } from '../../support/browser.ts'
import { junitBreaches } from '../../support/junit-schema.ts'
import { readXml } from '../../support/read-xml.ts'
import { hostile, reportOfAll } from '../../support/reports.ts'

const fails = failsOn(defaultFailOn)

test('JSON: the result and all reports', () => {
  const reports = [reportOfAll(hostile)]
  expect(JSON.parse(writeReport('.json', reports, fails))).toEqual({ failed: true, reports })
  expect(JSON.parse(writeReport('.json', reports, () => false))).toMatchObject({ failed: false })
})

test('annotations: a line for each finding, an error only if it fails the command', () => {
  const [early, unknown, off, open, banned, ...more] = writeAnnotations([reportOfAll()], fails)
  expect(early).toMatch(
    /^::error title=pet-mock conduct%3A early-retry::Retried too early plain Not judged besides: 2 calls, because late plain\.%0AGET \/v1\/pets → 429 · 58\.2 s before/,
  )
  expect(unknown).toMatch(/^::warning title=/)
  expect(off).toMatch(/^::notice title=/)
  expect(open).toMatch(
    /^::notice title=pet-mock conduct%3A unjudged::3 calls could not be judged\.%0A2 calls · early-retry, /,
  )
  expect(banned).toMatch(/^::notice title=pet-mock conduct%3A banned \(expected\)::One ban plain%0A/)
  expect(more).toEqual([])
  const [lenient] = writeAnnotations([reportOfAll()], () => false)
  expect(lenient).toMatch(/^::warning title=/)
})

test('annotations: texts cannot add a line or a property', () => {
  for (const line of writeAnnotations([reportOfAll(hostile)], fails)) {
    expect(line).not.toMatch(/[\r\n]/)
    expect(line.match(/^::(?:error|warning|notice) title=[^:,]*::/)).not.toBeNull()
  }
})

test('Markdown: a table of calls, what to do, and no markup from a call', () => {
  expect(writeMarkdown([reportOfAll()])).toContain(
    [
      '### ❌ error: early-retry',
      '',
      'Retried too early plain Not judged besides: 2 calls, because late plain.',
      '',
      '| Call | Details | Where |',
      '| --- | --- | --- |',
      '| GET /v1/pets → 429 | 58.2 s before Retry-After was over | 2026-03-02T09:00:01Z · \\#17 in worker-3 · demo-f… plain |',
    ].join('\n'),
  )
  const outside = writeMarkdown([reportOfAll(hostile)]).replace(/^(`{3,})sh\n[\s\S]*?\n\1$/gm, '')
  expect(outside).toContain('early-retry')
  expect(outside).not.toMatch(/^# y|(?<!\\)<script|(?<!\\)`x|(?<!\\)\*b/m)
  expect(outside.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
})

const head = {
  writtenAt: Date.UTC(2026, 2, 2, 9),
  version: '1.2.3',
  command: `pet-mock exec -- ${hostile}`,
  scenario: 'ban',
}

test('a file says when, by which version and command, and in which scenario it was written', () => {
  const reports = [reportOfAll()]
  expect(JSON.parse(writeReport('.json', reports, fails, head))).toMatchObject({ head })
  expect(writeReport('.md', reports, fails, head)).toContain(
    'Date: 2026-03-02 09:00:00 UTC · pet-mock: 1.2.3 · Scenario: ban · Command: pet-mock exec',
  )
  const html = writeReport('.html', reports, fails, head)
  for (const [name, value] of [
    ['Date', '2026-03-02 09:00:00 UTC'],
    ['pet-mock', '1.2.3'],
    ['Scenario', 'ban'],
  ])
    expect(html).toContain(`<dt>${name}</dt><dd>${value}</dd>`)
  expect(html).not.toContain('<script>alert')
})

test('the place of a call has columns for its time, its number and its client', () => {
  const html = writeReport('.html', [reportOfAll()], fails)
  expect(html).toContain(
    '<tr><th scope="col">Call</th><th scope="col">Details</th><th scope="col">Time</th><th scope="col">Request</th><th scope="col">Client</th></tr>',
  )
  expect(html).toContain(
    '<td data-name="Time">2026-03-02 09:00:01Z</td><td data-name="Request">#17 in worker-3</td><td data-name="Client">demo-f… plain</td>',
  )
  expect(html).toContain('<h2>Passed checks (1)</h2>')
})

test('an expected finding is shown as expected, and fails nothing', () => {
  const findings = reportOfAll().findings.filter(({ expected }) => expected)
  const expected = { ...reportOfAll(), findings, unjudged: [] }
  const alwaysFails = failsOn({ level: 'warning', ids: new Map([['banned', true]]) })
  const write = (extension: '.json' | '.html' | '.md' | '.xml') =>
    writeReport(extension, [expected], alwaysFails)
  expect(JSON.parse(write('.json'))).toMatchObject({
    failed: false,
    reports: [{ findings: [{ id: 'banned', expected: true }] }],
  })
  expect(write('.html')).toContain(
    '<article class="expected">\n<h2><span class="severity">Expected</span> <code>banned</code></h2>',
  )
  expect(write('.html')).toContain('✓ passed')
  expect(write('.md')).toContain('### ✅ expected: banned\n')
  expect(write('.xml')).toMatch(/failures="0"[\s\S]*<system-out>expected: One ban plain\n/)
  expect(reportLines(expected, { paint: (_style, text) => text, columns: 100 })).toContain(
    '✓ expected  banned',
  )
})

test('findings are counted in words', () => {
  expect(countFindings(reportOfAll().findings)).toBe('1 error, 1 warning, 1 note, 1 expected')
  expect(countFindings(shownFindings(reportOfAll()))).toBe(
    '1 error, 1 warning, 1 note, 1 expected, 3 not judged',
  )
  expect(countFindings([])).toBe('no findings')
})

describe('what is not judged is never shown as passed', () => {
  const { findings, checks, ...rest } = reportOfAll()
  const unjudged = reportOfAll().unjudged
  const report = { ...rest, ...settleChecks({ checks, findings: [], unjudged }) }
  const text = reportLines(report, { paint: (_style, text) => text, columns: 200 }).join('\n')
  const failsOnIt = failsOn({ level: 'error', ids: new Map([['unjudged', true]]) })

  test('in a terminal', () => {
    expect(text).toContain('Conduct plain: 3 not judged')
    expect(text).toContain('– not judged  unjudged\n  3 calls could not be judged.')
    expect(text).toMatch(/ 2 calls +early-retry, called-while-limited: late plain/)
    expect(text).not.toContain('✓')
    expect(verdictLines([report], fails, ['a.xml'])).toEqual([
      '',
      'Reports written: a.xml.',
      'Failing findings: none. Not judged: 3 calls.',
    ])
    expect(verdictLines([report], failsOnIt, []).at(-1)).toBe(
      'Failing findings: unjudged. Not judged: 3 calls. More: docs/findings.md',
    )
  })

  test('in HTML', () => {
    const html = writeReport('.html', [report], fails)
    expect(html).toContain('<p class="verdict unjudged">– not judged: 3 calls</p>')
    expect(html).not.toContain('✓ passed')
    const [passed = '', open = ''] =
      /<h2>Passed checks[\s\S]*/.exec(html)?.[0].split('<h2>Checks that are not judged (2)') ?? []
    expect(passed).not.toMatch(/early-retry|called-while-limited/)
    expect(open).toMatch(/early-retry[\s\S]*called-while-limited/)
    expect(writeReport('.html', [report], failsOnIt)).toContain('✕ failed')
  })

  test('in Markdown', () => {
    const markdown = writeMarkdown([report])
    expect(markdown).toContain('## Conduct plain: 3 not judged')
    expect(markdown).not.toMatch(/✅|✓/)
  })

  test('in JUnit: a case without a finding that fails is skipped, and one with such a finding fails and names both', () => {
    const casesOf = (fails: (finding: Finding) => boolean, of: Report = report) =>
      readXml(writeReport('.xml', [of], fails))
        .children.flatMap(({ children }) => children)
        .filter(({ name }) => name === 'testcase')
        .map(({ attributes, children }) => [attributes.name?.split(':')[0], children.map(({ name }) => name)])
    const open = ['skipped']
    expect(casesOf(fails)).toEqual([
      ['early-retry', open],
      ['unknown-parameter', []],
      ['called-while-limited', open],
      ['clean', []],
      ['unjudged', ['skipped', 'system-out']],
    ])
    expect(casesOf(failsOnIt).at(-1)).toEqual(['unjudged', ['failure']])
    expect(casesOf(fails, reportOfAll())[0]).toEqual(['early-retry', ['failure']])
    expect(casesOf(() => false, reportOfAll())[0]).toEqual(['early-retry', ['skipped', 'system-out']])
    expect(junitBreaches(readXml(writeReport('.xml', [report], fails)))).toEqual([])
  })

  test('in JSON: each check has its result, and the numbers have their checks', () => {
    const { reports } = JSON.parse(writeReport('.json', [report], fails))
    expect(reports[0].checks.map(({ id, result }: { id: string; result: string }) => [id, result])).toEqual([
      ['early-retry', 'unjudged'],
      ['unknown-parameter', 'passed'],
      ['called-while-limited', 'unjudged'],
      ['clean', 'passed'],
      ['unjudged', 'unjudged'],
    ])
    expect(reports[0].unjudged[0]).toEqual({
      checks: ['early-retry', 'called-while-limited'],
      count: 2,
      what: 'call',
      reason: 'late plain',
    })
    expect(reportOfAll().checks[0]).toMatchObject({ id: 'early-retry', result: 'failed' })
  })
})

describe('HTML shows what went wrong first', () => {
  const [evidence] = reportOfAll().findings[0]?.evidence ?? []
  const [chart] = reportOfAll().flights
  if (evidence === undefined || chart === undefined) throw new Error('There is no evidence, or no chart.')
  const titles = ['calm', 'demo-free in worker-3', 'demo-pro']
  const flights = titles.map(title => ({ ...chart, title }))
  const htmlOf = (over: Partial<Report>) =>
    writeReport('.html', [{ ...reportOfAll(), flights, ...over }], fails)
  const [finding] = reportOfAll().findings
  if (finding === undefined) throw new Error('There is no finding.')

  test('findings, then the chart of the key that they are about, then the folded others', () => {
    const about = { ...evidence, caller: 'demo-free', sandbox: 'worker-3' }
    const html = htmlOf({ findings: [{ ...finding, evidence: [about] }] })
    const order = html.match(/<article|<figure><figcaption>[^<;]*|<details class="chart"><summary>[^<;]*/g)
    expect(order?.map(text => text.replace(/.*>/, ''))).toEqual([
      ...Array.from({ length: 2 }, () => '<article'),
      'Calls over time: demo-free in worker-3',
      'Calls over time: calm',
      'Calls over time: demo-pro',
    ])
    expect(html.match(/<details class="chart">/g)).toHaveLength(2)
  })

  test('without a finding that fails, all charts are folded', () => {
    expect(htmlOf({ findings: [] }).match(/<details class="chart">/g)).toHaveLength(3)
  })
})

test('a chart has a description in words', () => {
  const [flight] = reportOfAll().flights
  if (flight === undefined) throw new Error('There is no flight.')
  expect(describeFlight(flight)).toBe(
    '4 calls: 1 served, 1 refused with 429, 1 other 4xx, 1 5xx. 1 wait. 1 ban. 3 earlier calls are not shown.',
  )
  const svg = writeShape(drawFlight(flight, 'p'))
  expect(svg).toContain('aria-labelledby="p-title p-desc"')
  expect(svg).toMatch(/<title id="p-title">Calls over time: plain<\/title><desc id="p-desc">4 calls/)
  expect(writeShape(drawFlight(flight, 'p'))).toBe(svg)
})

test.each([
  ['no call', { title: '', calls: [], spans: [], omitted: 0 }],
  ['one call', { title: '', calls: [{ at: 5, status: 200, left: null }], spans: [], omitted: 0 }],
  [
    'calls on a frozen clock',
    {
      title: '',
      calls: Array.from({ length: 70 }, (_, index) => ({
        at: 5,
        status: index < 60 ? 200 : 429,
        left: { minute: [Math.max(0, 59 - index), 60] as const, day: [900, 0] as const },
      })),
      spans: [{ kind: 'wait' as const, from: 5, to: 60_005 }],
      omitted: 0,
    },
  ],
])('a chart of %s', (_, flight) => {
  expect(writeShape(drawFlight(flight, 'p'))).not.toMatch(/NaN|Infinity|undefined/)
})

test.for(['light', 'dark'] as const)(
  'the page needs nothing else, %s, wide and narrow',
  async (colorScheme, context) => {
    const page = await open(context)
    const asked: string[] = []
    page.on('request', request => asked.push(request.url()))
    page.on('console', message => asked.push(message.text()))
    await page.emulateMedia({ colorScheme })
    await page.setContent(writeReport('.html', [reportOfAll(hostile)], fails, head))
    expect(asked).toEqual([])
    for (const width of [320, 360, 1_280]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    }
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toContain('ERROR early-retry')
    expect(await page.getByRole('img').count()).toBe(1)
    expect(await page.locator('script').count()).toBe(0)
    expect(await page.locator('code').allInnerTexts()).toContain(
      hostile.replace(/[^\n\P{Cc}]/gu, '\ufffd').replace('\n', ' '),
    )
    expect(await page.evaluate(tooFaint)).toEqual([])
  },
)

/** Texts that stand out from the page by less than 4.5 to 1 (WCAG 2.2, 1.4.3); it runs in the page. */
const tooFaint = `(() => {
  const channel = value => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
  const luminance = colour => {
    const [red, green, blue] = colour.match(/[\\d.]+/g).map(text => channel(Number(text) / 255))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const paper = luminance(getComputedStyle(document.body).backgroundColor)
  const texts = document.querySelectorAll('p, h1, h2, td, th, code, figcaption, li, .severity, .flight text')
  return [...texts].flatMap(element => {
    const style = getComputedStyle(element)
    const ink = luminance(element.closest('svg') === null ? style.color : style.fill)
    const ratio = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05)
    return ratio < 4.5 ? [element.tagName + ' ' + element.className + ' ' + ratio.toFixed(2)] : []
  })
})()`
