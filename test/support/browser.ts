import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium, type Page } from 'playwright-core'
import type { TestContext } from 'vitest'
import { findProgram, requireOrSkip } from './requirements.ts'

/** Host names of tests that lead to this machine, so that pages of foreign origins can be served from it. */
const namesOfThisMachine = ['shop.example', 'evil.example']

export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-proxy-server',
  `--host-resolver-rules=${namesOfThisMachine.map(name => `MAP ${name} 127.0.0.1`).join(', ')}`,
]

/** Chromium's headless shell comes first: a window of the whole browser takes twice the processor time. */
export function findChromium(): string | undefined {
  return findProgram('chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome')
}

type Skips = Pick<TestContext, 'skip'>

let started: Promise<Browser> | undefined

/** One real Chromium for the tests of a worker, started when the first of them needs it. It ends with the worker. */
export function openChromium(context: Skips): Promise<Browser> {
  const executablePath = requireOrSkip(context, 'Chromium', findChromium())
  started ??= chromium.launch({ executablePath, headless: true, args: chromiumFlags })
  return started
}

/** A page for a test, with cookies and storage of its own. */
export async function openPage({
  skip,
  onTestFinished,
}: Skips & Pick<TestContext, 'onTestFinished'>): Promise<Page> {
  const page = await (await openChromium({ skip })).newPage()
  onTestFinished(() => page.close())
  return page
}

/**
 * Serves an empty page until the test is over, and gives its port: every host name that leads to this machine is an
 * origin then.
 */
export async function servePage({ onTestFinished }: Pick<TestContext, 'onTestFinished'>): Promise<number> {
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end('<!doctype html><title>A page of somebody else</title>')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}
