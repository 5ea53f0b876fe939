import { describe, expect, it } from 'vitest'
import { hastyClient } from '../../support/hasty-client.ts'
import { runHere } from '../../support/run-command.ts'

/** Lines of a client below exec. It sends its first refused call at once, and the second is banned. */
function fly(lines: string, flags: readonly string[] = []) {
  const program = [process.execPath, '--input-type=module', '-e', `${hastyClient}${helpers}${lines}`]
  return runHere(['exec', '-s', 'rate-limit-exhaustion', ...flags, '--', ...program])
}

const helpers = `
  const ask = (path, body) => fetch(admin + path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
  const expectFinding = (id, sandbox) => ask('/conduct/expected?sandbox=' + sandbox, { id })
  const hasten = async sandbox => { for (let made = 0; made < 5; made += 1) await call('/pets', key + '+' + sandbox) }
`

describe('an expected finding', () => {
  it('is printed as expected, and exec exits with 0', async () => {
    const { code, stderr } = await fly(`await expectFinding('early-retry', 'w1'); await hasten('w1')`)
    expect(code).toBe(0)
    expect(stderr).toMatch(/^Conduct of the client: 1 expected\n/)
    expect(stderr).toMatch(/\n✓ expected {2}early-retry\n {2}1 refused call was retried/)
    expect(stderr).not.toContain('✕')
  })

  it('is judged although its test dropped the sandbox, and hides no finding of another', async () => {
    const { code, stderr } = await fly(
      `await expectFinding('early-retry', 'w1'); await hasten('w1')
        await fetch(admin + '/sandboxes?sandbox=w1', { method: 'DELETE' }); await hasten('w2')`,
    )
    expect(code).toBe(1)
    expect(stderr).toMatch(/✕ error {2}early-retry[\s\S]*in w2[\s\S]*✓ expected {2}early-retry[\s\S]*in w1/)
  })

  it('hides none that came before it, or after a reset', async () => {
    const { code, stderr } =
      await fly(`await hasten('w1'); await expectFinding('early-retry', 'w1'); await hasten('w1')
      await ask('/reset?sandbox=w1'); await hasten('w1')`)
    expect(code).toBe(1)
    expect(stderr).toMatch(/✕ error {2}early-retry[\s\S]*✓ expected {2}early-retry/)
  })

  it('is an error if it does not come, also after a reset', async () => {
    const { code, stderr } = await fly(
      `await expectFinding('banned', 'w1'); await call('/pets', key + '+w1'); await ask('/reset?sandbox=w1')`,
    )
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /✕ error {2}expected-finding\n {2}1 expected finding did not come\.\n {3}banned {2}expected from request #1 until the sandbox restarted after #1 {2}in w1\n/,
    )
  })

  it('wins over --fail-on', async () => {
    const flags = ['--fail-on', 'warning,early-retry']
    expect(await fly(`await expectFinding('early-retry', 'w1'); await hasten('w1')`, flags)).toMatchObject({
      code: 0,
    })
  })
})
