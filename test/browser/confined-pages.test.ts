import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type TestContext, test } from 'vitest'
import { openPage } from '../support/browser.ts'
import { directoryWith } from '../support/directory.ts'
import { spawnCommand } from '../support/run-command.ts'

/** A page that reads the admin plane, which has the same origin. */
const attack = `<!doctype html><title>running</title><script>
  document.title = 'runs'
  fetch('/__admin/requests').then(response => response.text()).then(text => { document.title = text })
</script>`

async function proxied(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  ...flags: readonly string[]
): Promise<string> {
  const service = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(attack)
  })
  await new Promise<void>(resolve => service.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    service.close()
    service.closeAllConnections()
  })
  const upstream = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`
  const own = ['--port', '0', '--no-contract', '--log-format', 'json']
  const running = spawnCommand(['proxy', upstream, ...own, ...flags])
  const [line] = await running.until(/^.+(?=\n)/)
  return (JSON.parse(line) as { url: string }).url
}

const rules = [{ name: 'page', then: { headers: { 'content-type': 'text/html' }, body: attack } }]

test.for(['of the upstream', 'of a rule'])(
  'a page %s at the address of the API runs nothing',
  async (whose, { skip, onTestFinished }) => {
    const page = await openPage({ skip, onTestFinished })
    const directory = directoryWith({ 's.json': JSON.stringify({ rules }) })
    const flags = whose === 'of a rule' ? ['--rules', `${directory}/s.json`] : []
    const response = await page.goto(`${await proxied({ onTestFinished }, ...flags)}/pets`)
    expect([response?.status(), await page.title()]).toEqual([200, 'running'])
  },
)
