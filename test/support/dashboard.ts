import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, type TestContext } from 'vitest'
import { createPageReader } from '../../src/doors/server/page-files.ts'
import { openPage } from './browser.ts'
import type { ServerOptions, TestServer } from './raw-http.ts'

export interface OpenDashboard {
  readonly page: Page
  readonly server: TestServer
  /** What the page's console said, and what it threw. The test fails if there is anything, unless the test empties it. */
  readonly complaints: string[]
  /** The URL of a place: `#/requests`. */
  readonly urlOf: (place: string) => string
  /** Stops the server and starts another one at the same port. */
  readonly restart: (options?: ServerOptions) => Promise<TestServer>
}

export interface DashboardOptions {
  /** Default: `#/requests`. */
  readonly place?: string
  readonly server?: ServerOptions
  /** Pixels of the page. */
  readonly width?: number
}

interface Context extends Pick<TestContext, 'skip' | 'onTestFinished'> {
  readonly open: (options?: ServerOptions) => Promise<TestServer>
}

/** The pages of the menu: title and path. */
export const dashboardParts = [
  ['Overview', 'overview'],
  ['Requests', 'requests'],
  ['Flight', 'flight'],
  ['Findings', 'findings'],
  ['Situation', 'situation'],
  ['Keys', 'keys'],
  ['Rules', 'rules'],
  ['Pets', 'pets'],
  ['Sandboxes', 'sandboxes'],
  ['Docs', 'docs'],
] as const

/** The dashboard of `npm run build`, in a page of a real browser. */
export function describeDashboard(pages = createPageReader()) {
  return async (
    { open, ...context }: Context,
    { place = '#/requests', width = 1280, server: options = {} }: DashboardOptions = {},
  ): Promise<OpenDashboard> => {
    const page = await openPage(context)
    await page.setViewportSize({ width, height: 800 })
    // Below the time of a test, so that a failure names what did not come.
    page.setDefaultTimeout(10_000)
    const server = await open({ pages, ...options })
    const complaints: string[] = []
    page.on('console', message => {
      if (message.type() === 'error' || message.type() === 'warning')
        complaints.push(`${message.text()} ${message.location().url}`)
    })
    page.on('pageerror', error => complaints.push(`${error}`))
    context.onTestFinished(() => expect(complaints).toEqual([]))
    const urlOf = (to: string) => `http://${server.host}/__admin/${to}`
    await page.goto(urlOf(place))
    const restart = async (others: ServerOptions = {}) => {
      await server.door.close(0)
      return await open({ pages, port: server.port, ...options, ...others })
    }
    return { page, server, complaints, urlOf, restart }
  }
}

/** Fails on what axe-core calls serious or critical, and on headings out of order, in light and in dark. */
export async function expectNothingSerious(page: Page, others = ['heading-order']): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await seriousProblems(page, others), colorScheme).toEqual([])
  }
}

async function seriousProblems(page: Page, others: readonly string[]): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate((): Promise<AxeResults> => Reflect.get(globalThis, 'axe').run())
  return violations
    .filter(({ id, impact }) => others.includes(id) || impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))
}

/** Calls the API once, as a client would. Resolves with the status. */
export async function callApi(
  { host }: TestServer,
  target: string,
  { key = 'demo-free', ...init }: RequestInit & { readonly key?: string } = {},
): Promise<number> {
  const headers = { ...init.headers, Authorization: `Bearer ${key}` }
  const response = await fetch(`http://${host}${target}`, { ...init, headers })
  await response.arrayBuffer()
  return response.status
}
