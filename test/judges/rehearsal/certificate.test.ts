import { describe, expect, test } from 'vitest'
import { type Certificate, createCertificate } from '../../../src/judges/rehearsal/certificate.ts'
import { failsRehearsal, rehearsalReport } from '../../../src/judges/rehearsal/rehearsal-report.ts'
import { callsAround } from '../../../src/judges/rehearsal/run-log.ts'
import { writeAnnotations } from '../../../src/judges/report/annotations.ts'
import { openPage as open } from '../../support/browser.ts'
import { expectNothingSerious } from '../../support/dashboard.ts'
import { junitBreaches } from '../../support/junit-schema.ts'
import { readXml } from '../../support/read-xml.ts'
import { bodyOf, hostile } from '../../support/reports.ts'
import { certificateOfAll, writeRehearsal } from './certificates.ts'
import { findingOf, openCalls, runOf, verdictOf } from './client-runs.ts'

const head = {
  writtenAt: Date.UTC(2026, 2, 2, 9),
  version: '1.2.3',
  command: 'pet-mock rehearse -- node client.js',
}

const annotationsOf = (certificate: Certificate) =>
  writeAnnotations([rehearsalReport(certificate)], failsRehearsal(certificate))

describe('what to fix', () => {
  const { remedies, summary, failed } = certificateOfAll()

  test('is listed once for all situations: errors first, what is known last', () => {
    expect(remedies.map(({ id, count, expected }) => [id, count, expected])).toEqual([
      ['hung', 1, undefined],
      ['exit-code', 1, undefined],
      ['recovery', 1, undefined],
      ['early-retry', 1, undefined],
      ['exit-code', 1, true],
    ])
    expect(remedies[0]?.evidence).toEqual([
      { what: 'outage', detail: 'The command did not end within 1m, so it was ended.' },
    ])
  })

  test('is summed up', () => {
    expect(failed).toBe(true)
    expect(summary).toBe('2 of 6 situations passed, 1 flaky, 2 failed, 1 known to fail')
  })
})

test('calls of a failure are those around the first call of a finding, else around the last that failed', () => {
  const call = (request: number, hasFailed: boolean) => ({
    what: 'GET /v1/pets',
    detail: '',
    request,
    hasFailed,
  })
  const calls = Array.from({ length: 40 }, (_, at) => call(at + 1, at === 29))
  const requestsOf = (...from: Parameters<typeof callsAround>) => callsAround(...from).map(one => one.request)
  expect(requestsOf(calls, 12)).toEqual([7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17])
  expect(requestsOf(calls)).toEqual([25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35])
  expect(requestsOf(calls.slice(0, 3))).toEqual([1, 2, 3])
  expect(requestsOf([])).toEqual([])
})

describe('the section about deprecated operations', () => {
  const nothing = { calls: 0, broken: 0 }
  const row = {
    operation: 'GET /pets/{petId}',
    site: 'client.js:7 <b>',
    at: {
      today: { calls: 2, broken: 0 },
      announced: nothing,
      'brown-out': nothing,
      'day-before': nothing,
      'day-after': { calls: 3, broken: 3 },
    },
  }
  const bodyWith = (sunset: ReturnType<typeof certificateOfAll>['sunset']) =>
    bodyOf(writeRehearsal('.html', { ...certificateOfAll(), sunset }, head)).join('\n')

  test('has a row for each operation and call site', () => {
    const html = bodyWith([row])
    expect(html).toContain('<h2>Deprecated operations</h2>')
    expect(html).toContain(
      '<code>GET /pets/{petId}</code></th><td data-name="Call site">client.js:7 &lt;b&gt;</td>',
    )
    expect(html).toContain(
      '<td data-name="today">2 fine</td><td data-name="announced" class="nothing">–</td>',
    )
    expect(html).toContain('<td data-name="day-after" class="wrong">3 break</td>')
  })

  test('has no table without calls, and is absent if nobody asked', () => {
    expect(bodyWith([])).toContain(
      '<p>No call of this run used a deprecated operation, so nothing broke in it.</p>',
    )
    expect(bodyWith([])).not.toContain('Call site')
    expect(bodyWith(null)).not.toContain('Deprecated operations')
  })
})

test.each(['plain', hostile])(
  'JUnit: a suite for each situation, with a case for exit, conduct and recovery: %j',
  text => {
    const certificate = certificateOfAll(text)
    const root = readXml(writeRehearsal('.xml', certificate))
    expect(junitBreaches(root)).toEqual([])
    expect(root.attributes).toMatchObject({ tests: '18', failures: '5' })
    expect(root.children.map(({ attributes }) => attributes.failures)).toEqual(['0', '3', '1', '1', '0', '0'])
    expect(
      root.children[1]?.children.map(({ name, children }) => [name, ...children.map(child => child.name)]),
    ).toEqual([['testcase', 'failure'], ['testcase', 'failure'], ['testcase', 'failure'], ['system-out']])
    const [flaky] = root.children[2]?.children[0]?.children ?? []
    expect(flaky?.attributes.message).toBe(
      'The command failed with exit code 1, but success was expected (in 1 of 3 runs).',
    )
  },
)

describe('Markdown', () => {
  test('has the matrix with signs, then what to fix, then outputs', () => {
    const text = writeRehearsal('.md', certificateOfAll(), head)
    const places = [
      '## Rehearsal of a client: 2 of 6 situations passed',
      '> pro-plan passes now',
      '| ✅ | free\\-plan | passed | 0 | – | – | – |'.replace('\\-', '-'),
      '| ❌ | ban plain | failed | 1 | 1 failing | gave up | 9 refused, 3 early, 11 extra |',
      '| ⚠️ | flaky | flaky, 2 of 3 passed | 1 | – | – | – |',
      '| ❌ | outage | failed | hung | – | – | – |',
      '| ☑️ | slow | failed, known | 1 | – | – | – |',
      '### ❌ error: hung',
      '| Situation | Details |',
      '| outage | The command did not end within 1m, so it was ended. |',
      '### ✅ expected: exit-code',
      '<details><summary>Output in ban plain</summary>',
      'Date: 2026-03-02 09:00:00 UTC',
    ].map(part => [part, text.indexOf(part)] as const)
    expect(places.filter(([, at]) => at === -1)).toEqual([])
    expect(places).toEqual(places.toSorted(([, one], [, other]) => one - other))
    expect(text).not.toContain('Output in slow')
  })

  test('shows no markup of the client', () => {
    const text = writeRehearsal('.md', certificateOfAll(hostile), head)
    const outside = text.replace(/^(`{3,})\n[\s\S]*?\n\1$/gm, '')
    expect(outside).not.toMatch(/^# y|(?<!\\)<script|(?<!\\)`x|(?<!\\)\*b/m)
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  })

  test('fits into GitHub’s 1 MiB', () => {
    const output = '❌'.repeat(50_000)
    const findings = Array.from({ length: 20 }, (_, at) => findingOf(`f-${at}`, 'error', output))
    const verdicts = Array.from({ length: 300 }, (_, at) =>
      verdictOf({}, [{ hung: true, findings, output }], { name: `s${at}` }),
    )
    const text = writeRehearsal('.md', { ...certificateOfAll(), situations: verdicts })
    expect(new TextEncoder().encode(text).length).toBeLessThan(2 ** 20)
    expect(text).toContain('| s299 |')
    expect(text).toContain(
      'The rest does not fit into a summary. For the whole report, add --report report.html.',
    )
  })
})

test('annotations: an error for each remedy, a notice for what is known', () => {
  const lines = annotationsOf(certificateOfAll(hostile))
  expect(lines.map(line => line.slice(0, line.indexOf('::', 2)))).toEqual([
    '::error title=pet-mock rehearse%3A hung',
    '::error title=pet-mock rehearse%3A exit-code',
    '::error title=pet-mock rehearse%3A recovery',
    '::error title=pet-mock rehearse%3A early-retry',
    '::notice title=pet-mock rehearse%3A exit-code (expected)',
  ])
  for (const line of lines) expect(line).not.toMatch(/[\r\n]/)
})

describe('the page', () => {
  test('shows everything as text, loads nothing, and runs nothing', async context => {
    const page = await open(context)
    const asked: string[] = []
    page.on('request', request => asked.push(request.url()))
    page.on('dialog', dialog => dialog.dismiss())
    await page.setContent(writeRehearsal('.html', certificateOfAll(hostile), head))
    expect(asked.filter(url => !url.startsWith('about:'))).toEqual([])
    expect(await page.locator('script, img, iframe, link, [onclick]').count()).toBe(0)
    expect(await page.locator('.output pre').first().textContent()).toContain('<script>alert("1")</script>')
  })

  test('has headings in order, named tables and regions, and ids that occur once', async context => {
    const page = await open(context)
    await page.setContent(writeRehearsal('.html', certificateOfAll(), head))
    const levels = await page
      .locator('h1, h2, h3, h4')
      .evaluateAll(all => all.map(one => Number(one.tagName[1])))
    expect(levels[0]).toBe(1)
    expect(levels.filter((level, at) => level - (levels[at - 1] ?? 1) > 1)).toEqual([])
    expect(
      await page.locator('.matrix thead th:not([scope=col]), .matrix tbody th:not([scope=row])').count(),
    ).toBe(0)
    const names = await page
      .locator('[role=region]')
      .evaluateAll(all =>
        all.map(one => one.getAttribute('aria-label') ?? one.getAttribute('aria-labelledby')),
      )
    expect(new Set(names).size).toBe(names.length)
    const ids = await page.locator('[id]').evaluateAll(all => all.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('is accessible, in light and in dark', async context => {
    const page = await open(context)
    await page.setContent(writeRehearsal('.html', certificateOfAll(), head))
    await expectNothingSerious(page)
  })

  test('leads by keyboard from the matrix to a situation', async context => {
    const page = await open(context)
    await page.setContent(writeRehearsal('.html', certificateOfAll(), head))
    const focused = () => page.evaluate("document.activeElement.closest('.matrix a')?.textContent")
    // What is above it, such as a wide table, may have the focus first.
    for (let pressed = 0; pressed < 8 && (await focused()) === undefined; pressed += 1)
      await page.keyboard.press('Tab')
    expect(await focused()).toBe('free-plan')
    const links = await page
      .locator('.matrix a')
      .evaluateAll(all => all.map(one => one.getAttribute('href') ?? ''))
    for (const link of links) expect(await page.locator(link).count()).toBe(1)
  })

  test.for([360, 1280])('has no sideways scroll at %i px', async (width, context) => {
    const page = await open(context)
    await page.setViewportSize({ width, height: 800 })
    await page.setContent(writeRehearsal('.html', certificateOfAll('x'.repeat(300)), head))
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  })
})

describe('situations that were not met', () => {
  const unmet = 'made 1 call; no <rule> acted'
  const notMet = (name: string) => verdictOf({}, [{ unmet }], { name, title: 'A title' })
  const certificate = createCertificate({
    command: 'node client.js',
    calm: runOf(),
    verdicts: [verdictOf({}, [{}], { name: 'free-plan' }), notMet('flaky'), notMet('lost-reply')],
  })

  test('are counted apart, and fail nothing', () => {
    expect(certificate).toMatchObject({
      failed: false,
      summary: '1 of 3 situations passed, 2 not met',
      remedies: [],
      situations: [{ result: 'passed', unmet: null }, { result: 'not-met', unmet }, { result: 'not-met' }],
    })
  })

  test('are skipped in JUnit', () => {
    const root = readXml(writeRehearsal('.xml', certificate))
    expect(junitBreaches(root)).toEqual([])
    expect(root.attributes).toMatchObject({ tests: '9', failures: '0' })
    expect(root.children.map(({ attributes }) => attributes.skipped)).toEqual(['0', '3', '3'])
    const [skipped] = root.children[1]?.children[0]?.children ?? []
    expect(skipped).toMatchObject({ name: 'skipped', attributes: { message: `Not met: ${unmet}` } })
  })

  test('are listed with their reason in Markdown and HTML', () => {
    const md = writeRehearsal('.md', certificate)
    expect(md).toContain('| ⚪ | flaky | not met |')
    expect(md).toContain('\nThe client did not meet flaky, lost-reply: made 1 call; no \\<rule\\> acted\n')
    const html = writeRehearsal('.html', certificate)
    expect(html).toContain(
      '<p>The client did not meet flaky, lost-reply: made 1 call; no &lt;rule&gt; acted</p>',
    )
    expect(html).toContain('<span class="mark not-met">○ not met</span>')
  })

  test('fail the rehearsal if there is no other', () => {
    const nothing = createCertificate({
      command: 'node client.js',
      calm: runOf(),
      verdicts: [notMet('flaky'), notMet('lost-reply')],
    })
    expect(nothing).toMatchObject({
      failed: true,
      summary: '0 of 2 situations passed, 2 not met',
      remedies: [{ id: 'nothing-met', severity: 'error', count: 2 }],
    })
    expect(annotationsOf(nothing)).toEqual([
      expect.stringMatching(/^::error title=pet-mock rehearse%3A nothing-met::/),
    ])
  })
})

describe('calls that could not be judged', () => {
  const recovery = { kind: 'unjudged', reason: 'the rule <outage> never ends' } as const
  const certificate = createCertificate({
    command: 'node client.js',
    calm: runOf(),
    verdicts: [
      verdictOf({}, [{}], { name: 'free-plan' }),
      verdictOf({}, [{ unjudged: openCalls(2) }]),
      verdictOf({}, [{ recovery }], { name: 'outage' }),
    ],
  })
  const reason = 'another client may have made them'

  test('are counted, and their situation has a result of its own', () => {
    expect(certificate).toMatchObject({
      failed: false,
      summary: '2 of 3 situations passed, 1 not wholly judged; not judged: 2 calls',
      situations: [{ result: 'passed', unjudged: [] }, { result: 'unjudged', unjudged: openCalls(2) }, {}],
    })
  })

  test('skip the case of conduct in JUnit; an open recovery skips its own', () => {
    const root = readXml(writeRehearsal('.xml', certificate))
    expect(junitBreaches(root)).toEqual([])
    const skipped = root.children.map(suite =>
      suite.children.flatMap(({ attributes: { name }, children: [first] }) =>
        first?.name === 'skipped' ? [`${name?.split(':')[0]}: ${first.attributes.message}`] : [],
      ),
    )
    expect(skipped).toEqual([
      [],
      ['conduct: Not judged (2 calls): another client may have made them'],
      ['recovery: Not judged: the rule <outage> never ends'],
    ])
  })

  test('have no tick in Markdown and HTML, and are listed with their reason', () => {
    const md = writeRehearsal('.md', certificate)
    expect(md).toContain('| ❔ | ban | passed, 2 calls not judged |')
    expect(md).toContain(`| ban | ${reason} |`)
    const html = writeRehearsal('.html', certificate)
    expect(html).toContain('<p class="verdict unjudged">– not judged: 2 calls</p>')
    expect(html).toContain('<span class="mark unjudged">– passed, 2 calls not judged</span>')
    expect(html).toContain(`<code>ban</code></td><td data-name="Details">${reason}</td>`)
  })

  test('are a notice on GitHub', () => {
    expect(annotationsOf(certificate)).toEqual([
      expect.stringMatching(/^::notice title=pet-mock rehearse%3A unjudged::2 calls could not be judged/),
    ])
  })
})
