import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createPetMock } from '../../../src/library/testing/create-pet-mock.ts'
import { openPage as browser } from '../../support/browser.ts'
import { directoryWith } from '../../support/directory.ts'
import { runCommand } from '../../support/run-command.ts'

/** A box of a run into the limit, whose texts try to leave the element that they are in. */
async function recordHostileRun(): Promise<Uint8Array> {
  const mock = createPetMock({ box: true, scenario: { title: '</script><script>broken = 1</script>' } })
  const headers = { Authorization: `Bearer ${mock.key}` }
  const call = (target: string) => mock.fetch(mock.url + target, { headers })
  await call('/pets?x=</script><img src=x onerror="broken=1">')
  for (let made = 1; made < 62; made += 1) await call('/pets?limit=1')
  return mock.box()
}

async function exportRun(box: Uint8Array) {
  const cwd = directoryWith({})
  writeFileSync(join(cwd, 'run.petbox'), box)
  const ended = await runCommand(['box', 'export', 'run.petbox', '--html', 'run.html'], { cwd })
  return { ...ended, file: join(cwd, 'run.html'), cwd }
}

describe('box export --html', () => {
  it('writes the run and the dashboard as one page of at most 400 kB and the box', async () => {
    const box = await recordHostileRun()
    const { code, stdout, file } = await exportRun(box)
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'run.html: open it in a browser.\n' })
    expect(statSync(file).size).toBeLessThan(400_000 + box.length * 2)
    expect(readFileSync(file, 'utf8')).not.toContain('onerror')
  })

  it('opens from the disk, loads nothing, and shows what a hostile run has as text', async context => {
    const { file } = await exportRun(await recordHostileRun())
    const page = await browser(context)
    const asked: string[] = []
    const errors: string[] = []
    page.on('request', request => asked.push(request.url()))
    page.on('pageerror', error => errors.push(String(error)))
    const address = pathToFileURL(file).href
    await page.goto(address)
    await page.getByRole('link', { name: 'Run', exact: true }).click()
    await page.getByText('The run ends here.').waitFor()
    await page.getByRole('slider').press('ArrowLeft')
    await page.getByText('rate_limit_exceeded').first().waitFor()
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.getByRole('searchbox').fill('onerror')
    await page.getByText('onerror').first().waitFor()
    await page.getByText('</script><script>').first().waitFor()
    // It goes on from there. The clock stands still, so only the click ends the minute.
    const call = () =>
      page.evaluate(`globalThis[Symbol.for('pet-mock.near')].then(async ({ callApi }) =>
        (await callApi('/v1/pets', { headers: { Authorization: 'Bearer demo-free' } })).status)`)
    expect(await call()).toBe(429)
    await page.getByRole('button', { name: '+1 min' }).click()
    await expect.poll(call).toBe(200)
    expect(await page.evaluate('typeof broken')).toBe('undefined')
    expect(asked.filter(url => !url.startsWith('data:'))).toEqual([address])
    expect(errors).toEqual([])
  })

  it('does not write over the box', async () => {
    const box = await recordHostileRun()
    const cwd = directoryWith({})
    writeFileSync(join(cwd, 'run.petbox'), box)
    const ended = await runCommand(['box', 'export', 'run.petbox', '--html', './run.petbox'], { cwd })
    expect(ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--html would write ./run.petbox, which the command names, too'),
    })
    expect(readFileSync(join(cwd, 'run.petbox')).equals(box)).toBe(true)
  })

  it('refuses a bad file, and a run with a contract of the user', async () => {
    const damaged = await exportRun(gzipSync('no box\n'))
    expect(damaged.code).toBe(2)
    expect(existsSync(damaged.file)).toBe(false)
    const text = gunzipSync(await recordHostileRun()).toString()
    const [head = '', ...rest] = text.split('\n')
    const header = JSON.parse(head)
    const contract = { file: 'openapi.yaml', digest: 'a'.repeat(64), only: [] }
    const lines = [JSON.stringify({ ...header, contract }), ...rest].join('\n')
    const { code, stderr } = await exportRun(gzipSync(lines))
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('serves the contract openapi.yaml, which needs a server'),
    })
    const { cwd } = damaged
    const bare = await runCommand(['box', 'export', 'run.petbox'], { cwd })
    expect(bare.code).toBe(2)
    expect(bare.stderr).toContain('--html FILE is missing')
  })
})
