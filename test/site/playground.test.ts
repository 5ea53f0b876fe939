import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, type TestContext, test } from 'vitest'
import { openChromium } from '../support/browser.ts'
import { createRunnerProject } from '../support/runner-project.ts'
import { serveSite } from '../support/site.ts'

/* The built site in Chromium. `npm run site` builds it. */

interface Look {
  readonly prefix?: string
  readonly width?: number
  readonly colorScheme?: 'light' | 'dark'
  /** What follows the address of the site. */
  readonly at?: string
}

/** Opens a page of the site. The test fails if the page throws, complains, or calls another origin. */
async function openSite(
  context: TestContext,
  { prefix, width = 1280, colorScheme = 'light', at = '' }: Look = {},
) {
  const site = await serveSite(context, prefix)
  const browser = await openChromium(context)
  const session = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
  await session.grantPermissions(['clipboard-read', 'clipboard-write'])
  context.onTestFinished(() => session.close())
  const page = await session.newPage()
  page.setDefaultTimeout(20_000)
  const problems: string[] = []
  const loaded = new Map<string, number>()
  page.on('pageerror', error => problems.push(`${error}`))
  page.on('console', message => {
    if (/error|warning/.test(message.type())) problems.push(message.text())
  })
  page.on('request', request => {
    const url = request.url()
    if (!url.startsWith(site) && !url.startsWith('blob:')) problems.push(`calls ${url}`)
  })
  page.on('response', async response => {
    const bytes = await response.body().catch(() => '')
    loaded.set(response.url().slice(site.length), gzipSync(bytes).length)
  })
  context.onTestFinished(() => expect(problems).toEqual([]))
  await page.goto(site + at)
  return { page, site, loaded, session, problems }
}

const response = (page: Page) => page.getByRole('region', { name: 'Response' })
const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const dashboard = (page: Page) => page.frameLocator('iframe')
const copiedText = (page: Page) =>
  page.evaluate(() => Reflect.get(globalThis, 'navigator').clipboard.readText())
/** Waits until nothing more loads. Chromium's "network idle" does not come on a busy machine. */
const waitForAll = async (loaded: ReadonlyMap<string, number>) => {
  for (let before = -1; before !== loaded.size; await sleep(1_500)) before = loaded.size
}
const sizeOf = (loaded: ReadonlyMap<string, number>, which = /(?:)/) =>
  [...loaded].reduce((sum, [name, bytes]) => sum + (which.test(name) ? bytes : 0), 0)

async function expectStatus(page: Page, status: string, ...texts: readonly string[]) {
  await expect.poll(() => response(page).locator('strong').textContent()).toBe(status)
  for (const text of texts) await expect.poll(() => response(page).textContent()).toContain(text)
}

async function violationsOf(page: Page, hasNewColours = true): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    (enabled): Promise<AxeResults> =>
      Reflect.get(globalThis, 'axe').run({ rules: { 'color-contrast': { enabled } } }),
    hasNewColours,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}

const looks = [
  ['at 1280 px, in light', { width: 1280, colorScheme: 'light' }],
  ['at 360 px, in dark', { width: 360, colorScheme: 'dark' }],
] as const

/** The guided situations: the name, and each step with the status that it shows. */
const situations: readonly (readonly [
  string,
  readonly (readonly [label: string, status?: string, text?: string])[],
])[] = [
  [
    'Run into a 429, and wait',
    [
      ['Make them', '200', 'x-ratelimit-remaining'],
      ['Make a fourth', '429', 'retry-after'],
      ['Move the clock by a minute'],
      ['Call again', '200', '59'],
    ],
  ],
  [
    'Get banned, and lift the ban',
    [
      ['Make the tenth', '429', 'api_key_banned'],
      ['Move the clock by a minute'],
      ['Call again', '429', 'api_key_banned'],
      ['Lift the ban'],
      ['Call again', '200', '59'],
    ],
  ],
  [
    'The day an operation disappears',
    [
      ['Call it', '200', 'sunset'],
      ['Go there'],
      ['Call it again', '404', 'endpoint_removed'],
      ['List the pets', '200'],
    ],
  ],
]

test.for(looks)('the three situations lead to what they promise, %s', async ([, look], context) => {
  const { page } = await openSite(context, look)
  await expectStatus(page, '200')
  for (const [name, steps] of situations) {
    await click(page, name)
    const tour = page.getByRole('region', { name })
    for (const [index, [label, status, text]] of steps.entries()) {
      await tour.getByText(`${index + 1} of ${steps.length}`).waitFor()
      await tour.getByRole('button', { name: label }).click()
      if (status !== undefined) await expectStatus(page, status, ...(text === undefined ? [] : [text]))
    }
    await tour.getByRole('button', { name: 'Done' }).click()
  }
})

test('by the keyboard alone', async context => {
  const { page } = await openSite(context)
  await expectStatus(page, '200')
  const goTo = async (name: string) => {
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press('Tab')
      const focused = await page.evaluate<string>('document.activeElement.textContent')
      if (focused === name) return
    }
    throw new Error(`Tab does not reach ${name}`)
  }
  await goTo('Get banned, and lift the ban')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Make the tenth' }).waitFor()
  await goTo('Make the tenth')
  await page.keyboard.press('Enter')
  await expectStatus(page, '429', 'api_key_banned')
  // The next step takes the place of the last one, so the keyboard stays there.
  await page.keyboard.press('Enter')
  await page.getByText('3 of 5').waitFor()
})

test('the dashboard shows the calls of the page, and its buttons change what the page gets', async context => {
  const { page } = await openSite(context)
  await expectStatus(page, '200')
  await dashboard(page).getByText('59').first().waitFor()
  await dashboard(page)
    .getByRole('button', { name: /Fail the next call with 503/ })
    .click()
  await dashboard(page).getByText('Undo').first().waitFor()
  await click(page, 'Send')
  await expectStatus(page, '503')
  await dashboard(page)
    .getByRole('button', { name: /Overview/ })
    .click()
  await dashboard(page)
    .getByRole('link', { name: /Requests/ })
    .click()
  await expect.poll(() => dashboard(page).getByRole('listitem').count()).toBeGreaterThanOrEqual(2)
})

test.for(looks)('a scenario of one’s own, with a mistake and then without, %s', async ([, look], context) => {
  const { page } = await openSite(context, look)
  await expectStatus(page, '200')
  await click(page, 'Write your own')
  const editor = page.getByRole('textbox', { name: 'Scenario file' })
  await editor.fill('extends: free-plan\nkeys: { demo-free: { used: { minut: 60 } } }\n')
  await page
    .getByText(/^Line 2: .*minut.*minute/)
    .first()
    .waitFor()
  await click(page, 'Run this scenario')
  await click(page, 'Send')
  await expectStatus(page, '200', '58')
  await editor.fill('extends: free-plan\nkeys: { demo-free: { used: { minute: 60 } } }\n')
  await expect.poll(() => page.getByText(/^Line /).count()).toBe(0)
  await click(page, 'Run this scenario')
  await click(page, 'Send')
  await expectStatus(page, '429', 'rate_limit_exceeded')
  await editor.fill('extends: outage\n')
  await page.keyboard.press('Control+End')
  await page.keyboard.type('rul')
  await page.getByRole('option', { name: 'rules' }).first().waitFor()
  await page.keyboard.press('Escape')
  if (look.width === 1280) expect(await violationsOf(page)).toEqual([])
})

test('each shipped scenario can be chosen', async context => {
  const { page } = await openSite(context)
  await expectStatus(page, '200')
  const scenario = page.getByRole('combobox', { name: 'Scenario', exact: true })
  const names = await scenario
    .locator('option')
    .evaluateAll(options => options.map(option => option.getAttribute('value')))
  expect(names.length).toBeGreaterThan(30)
  await scenario.selectOption('ban')
  await click(page, 'Send')
  await expectStatus(page, '429', 'api_key_banned')
  await scenario.selectOption('empty-store')
  await click(page, 'Send')
  await expectStatus(page, '200', '[]')
})

test('everything works when the network is gone after the page has loaded', async context => {
  const { page, session, problems, loaded } = await openSite(context)
  await expectStatus(page, '200')
  await dashboard(page).getByRole('heading', { name: 'Overview' }).waitFor()
  await waitForAll(loaded)
  await session.setOffline(true)
  for (const part of [
    'Requests',
    'Flight',
    'Findings',
    'Situation',
    'Keys',
    'Rules',
    'Pets',
    'Sandboxes',
    'Docs',
  ]) {
    await dashboard(page).locator('.menu-fold button').first().click()
    await dashboard(page).locator('.menu-fold .menu a', { hasText: part }).click()
    await dashboard(page).getByRole('heading', { level: 1 }).first().waitFor()
  }
  await click(page, 'Write your own')
  await page.getByRole('textbox', { name: 'Scenario file' }).fill('extends: ban\n')
  await click(page, 'Run this scenario')
  await click(page, 'Send')
  await expectStatus(page, '429', 'api_key_banned')
  await click(page, 'link')
  await page.getByText('Copied as link').waitFor()
  expect(problems).toEqual([])
})

test('the first response, the dashboard and all the rest keep to their sizes', async context => {
  const { page, loaded } = await openSite(context)
  await expectStatus(page, '200')
  await waitForAll(loaded)
  const late =
    /^(?:dashboard\/|assets\/chunks\/(?:plane|lexer|parser|editor|yaml|read|take|snapshot|complete|scenario|write-))/
  const first = sizeOf(loaded) - sizeOf(loaded, late)
  expect(first).toBeGreaterThan(100_000)
  expect(first).toBeLessThanOrEqual(200_000)
  await dashboard(page).getByText('59').first().waitFor()
  await waitForAll(loaded)
  await page.keyboard.press('Control+k')
  await page.getByRole('searchbox').fill('retry-after')
  await page.locator('.VPLocalSearchBox .result').first().waitFor()
  expect(sizeOf(loaded)).toBeLessThanOrEqual(600_000)
  expect(sizeOf(loaded)).toBeGreaterThan(400_000)
})

test('a link brings back the situation, and only the shipped keys', async context => {
  const { page, site, problems } = await openSite(context)
  await expectStatus(page, '200')
  await click(page, 'Run into a 429, and wait')
  await page.getByRole('button', { name: 'Make them' }).click()
  await expectStatus(page, '200')
  await page.getByText('2 of 4').waitFor()
  await click(page, 'link')
  await page.getByText('Copied as link').waitFor()
  const link = await copiedText(page)
  expect(link.startsWith(`${site}#play=`)).toBe(true)
  expect(link.length).toBeLessThan(8_192)
  const other = await page.context().newPage()
  await other.goto(link)
  await expectStatus(other, '429', 'rate_limit_exceeded')
  await other.close()
  await dashboard(page)
    .locator('body')
    .evaluate(() => {})
  await page.evaluate(async () => {
    const near = Reflect.get(globalThis, Symbol.for('pet-mock.near'))
    await near.send('POST', '/keys', JSON.stringify({ key: 'secret-of-mine', plan: 'free' }))
  })
  await click(page, 'link')
  await page.getByText(/Not copied: A link holds only the keys demo-free/).waitFor()
  expect(problems).toEqual([])
})

const hostile = '<img src=x onerror="globalThis.broken=1">'
const badLinks: readonly (readonly [string, string, RegExp])[] = [
  ['no JSON', '#play=%7Bno', /The link is broken/],
  ['a broken escape', '#play=%E0%A4%A', /The link is broken/],
  ['too long', `#play=${'a'.repeat(9_000)}`, /The link is too long/],
  ['a scenario that is not shipped', linkOf({ yaml: `extends: '${hostile}'` }), /a mistake in line 1: /],
  ['another key', linkOf({ yaml: 'extends: ban', key: hostile }), /holds only the keys/],
  [
    'a file with another key',
    linkOf({ yaml: 'extends: free-plan\nkeys: { mine: { plan: free } }' }),
    /not "mine"/,
  ],
  [
    'a file with mistakes',
    linkOf({ yaml: `title: "${hostile}"\nnonsense: 1` }),
    /a mistake in line 1: unexpected scalar/,
  ],
  ['a method that no page can send', linkOf({ yaml: 'extends: ban', method: 'TRACE' }), /The link is broken/],
  [
    'another host as the path',
    linkOf({ yaml: 'extends: ban', target: '//evil.example/v1' }),
    /The link is broken/,
  ],
  [
    'another host as a Windows path',
    linkOf({ yaml: 'extends: ban', target: '/\\evil.example/' }),
    /The link is broken/,
  ],
  [
    'another URL as the path',
    linkOf({ yaml: 'extends: ban', target: 'https://evil.example/' }),
    /The link is broken/,
  ],
]

const oddLinks = [
  ['a million pets', linkOf({ yaml: 'extends: free-plan\npets: { count: 1000000 }' })],
  ['markup as a path', linkOf({ yaml: 'extends: free-plan', target: `/${hostile}` })],
  ['markup as a title', linkOf({ yaml: `extends: ban\ntitle: '${hostile}'` })],
] as const

function linkOf({
  method = 'GET',
  target = '/v1/pets',
  key = 'demo-free',
  body = '',
  ...what
}: Readonly<Record<string, string>>): string {
  return `#play=${encodeURIComponent(JSON.stringify({ call: { method, target, key, body }, ...what }))}`
}

async function expectNoHarm(page: Page) {
  await dashboard(page).getByRole('heading', { name: 'Overview' }).waitFor()
  expect(await page.evaluate(() => Reflect.get(globalThis, 'broken'))).toBeUndefined()
  expect(await page.locator('img[src="x"]').count()).toBe(0)
  expect(await dashboard(page).locator('img[src="x"]').count()).toBe(0)
}

test.for(oddLinks)('a page that begins with a link with %s shows no harm', async ([, fragment], context) => {
  const { page } = await openSite(context, { at: fragment })
  await response(page).waitFor()
  await expect.poll(() => page.locator('.trouble').textContent()).toBe('')
  await expectNoHarm(page)
})

test('broken links open the free plan, with a sentence', async context => {
  const { page } = await openSite(context, { at: '#play=%E0%A4%A' })
  for (const [what, fragment, sentence] of badLinks) {
    const goTo = (hash: string) =>
      page.evaluate(hash => Reflect.set(Reflect.get(globalThis, 'location'), 'hash', hash), hash)
    await goTo(fragment)
    await expect.poll(() => page.locator('.trouble').textContent(), { message: what }).toMatch(sentence)
    await expectStatus(page, '200', '59')
    await expectNoHarm(page)
    await goTo('')
    await expect.poll(() => page.locator('.trouble').textContent()).toBe('')
  }
})

test('a call is copied in each form', async context => {
  const { page } = await openSite(context)
  await expectStatus(page, '200')
  const expected = {
    curl: /^curl --globoff --path-as-is 'http:\/\/127\.0\.0\.1:7387\/v1\/pets\?limit=2'/,
    fetch: /^const response = await fetch\("http:\/\/127\.0\.0\.1:7387\/v1\/pets\?limit=2"/,
    Python: /^import http\.client/,
    test: /petMockScenario: "free-plan"[\s\S]*expect\(response\.status\)\.toBe\(200\)/,
    'scenario file': /used:/,
  }
  for (const [name, text] of Object.entries(expected)) {
    await click(page, name)
    await page.getByText(`Copied as ${name}`).waitFor()
    expect(await copiedText(page)).toMatch(text)
  }
})

test('copied tests pass in a project of vitest', { timeout: 240_000 }, async context => {
  const project = createRunnerProject(['vitest'])
  context.onTestFinished(project.remove)
  const { page } = await openSite(context)
  await expectStatus(page, '200')
  const copy = async (name: string, expected: string) => {
    await click(page, 'test')
    await page.getByText('Copied as test').waitFor()
    const text = await copiedText(page)
    expect(text).toContain(expected)
    project.write({ [`copied/${name}.test.js`]: text })
    await page.reload()
    await expectStatus(page, '200')
  }
  await copy('first', 'petMockScenario: "free-plan"')
  await click(page, 'Run into a 429, and wait')
  await click(page, 'Make them')
  await click(page, 'Make a fourth')
  await expectStatus(page, '429')
  await copy('limited', 'toBe(429)')
  await page.getByRole('combobox', { name: 'Method' }).selectOption('POST')
  await page.getByRole('textbox', { name: 'Body' }).fill(`{"name":"Rex 'O' \`$x\`","categoryId":1}`)
  await copy('not-sent', 'toBe(201)')
  await page.getByRole('combobox', { name: 'Key' }).selectOption('(none)')
  await copy('without-key', 'toBe(401)')
  project.write({ 'own.config.js': 'export default { test: { testTimeout: 60_000 } }' })
  const { code, output } = await project.run('vitest/vitest.mjs', ['run', '--config', 'own.config.js'])
  expect(output).toMatch(/Tests +4 passed/)
  expect(code).toBe(0)
})

test('what people do besides: a double click, another key, a body that stays, the way back', async context => {
  const { page } = await openSite(context)
  await expectStatus(page, '200')
  await page.getByRole('combobox', { name: 'Method' }).selectOption('POST')
  await page.getByRole('textbox', { name: 'Body' }).fill('{"name":"Rex","categoryId":1}')
  await click(page, 'Send')
  await expectStatus(page, '201')
  await page.getByRole('combobox', { name: 'Method' }).selectOption('GET')
  await click(page, 'Send')
  await expectStatus(page, '200', 'link')
  await click(page, 'Run into a 429, and wait')
  await page.getByRole('combobox', { name: 'Key' }).selectOption('demo-pro')
  await page.getByRole('button', { name: 'Make them' }).dblclick()
  await expectStatus(page, '200', 'x-ratelimit-remaining0')
  await page.getByText('2 of 4').waitFor()
  await click(page, 'Make a fourth')
  await expectStatus(page, '429')
  await page.evaluate(
    hash => {
      Reflect.get(globalThis, 'location').hash = hash
    },
    linkOf({ yaml: 'extends: ban' }),
  )
  await expectStatus(page, '429', 'api_key_banned')
  await page.goBack()
  await expectStatus(page, '200', '59')
})

test('a link to a slow service shows that it waits, and the dashboard', async context => {
  const slow = 'extends: free-plan\nrules: [{ name: slow, then: { delay: 6s } }]'
  const { page } = await openSite(context, { at: linkOf({ yaml: slow }) })
  await page.getByText('Waiting for the response.').waitFor()
  await dashboard(page).getByRole('heading', { name: 'Overview' }).waitFor()
  await expectStatus(page, '200')
})

/** The elements of a page, with what gives them their colours. */
const kindsOn = (page: Page) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('.vp-doc *')].map(one => [one.localName, one.className, one.getAttribute('style')].join())`,
  )

test.for(looks)(
  'axe finds nothing on the landing page and the pages of the docs, and none is too wide, %s',
  { timeout: 480_000 },
  async ([, look], context) => {
    const { page, site } = await openSite(context, look)
    await expectStatus(page, '200')
    await dashboard(page).getByRole('heading', { name: 'Overview' }).waitFor()
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
      look.width,
    )
    expect(await violationsOf(page)).toEqual([])
    const pages = readdirSync('docs').filter(file => file.endsWith('.md'))
    const found: unknown[] = []
    const seen = new Set<string>()
    for (const name of pages) {
      await page.goto(`${site}docs/${name.replace('.md', '.html')}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      found.push([name, width === look.width ? 'fits' : width])
      const kinds = await kindsOn(page)
      const isNew = kinds.some(kind => !seen.has(kind))
      // Colours take axe the most time, and come with the elements. Only colours differ between the two looks.
      if (look === looks[1][1] && !isNew) continue
      for (const kind of kinds) seen.add(kind)
      found.push(...(await violationsOf(page, isNew)))
    }
    expect(found).toEqual(pages.map(name => [name, 'fits']))
  },
)

test.for(['/', '/a/b/'])('search, links and copying work below %s', async (prefix, context) => {
  const { page, site } = await openSite(context, { prefix })
  await expectStatus(page, '200')
  await page.keyboard.press('Control+k')
  await page.getByRole('searchbox').fill('escalate')
  await page.locator('.VPLocalSearchBox .result').first().click()
  await page.waitForURL(url => url.href.startsWith(`${site}docs/`))
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.goto(`${site}docs/first-test.html`)
  const block = page.locator('div[class*="language-"]').first()
  await block.hover()
  await block.getByRole('button', { name: 'Copy code' }).click()
  expect(await copiedText(page)).toContain((await block.locator('code').textContent())?.trim())
  await page.getByRole('link', { name: 'Commands' }).first().click()
  await page.waitForURL(`${site}docs/commands.html`)
  await page.getByRole('link', { name: 'pet-mock', exact: true }).click()
  await expectStatus(page, '200')
  expect(await page.context().cookies()).toEqual([])
})
