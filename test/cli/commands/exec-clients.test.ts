import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { findProgram, needPosix, requireOrSkip } from '../../support/requirements.ts'
import { runCommand } from '../../support/run-command.ts'

needPosix('shell')

/** What exec finds in a program, beside the quota, and its exit code. */
async function judge(scenario: string, program: readonly string[]) {
  const { code, stderr } = await runCommand(['exec', '-s', scenario, '--', ...program])
  return { code, errors: [...stderr.matchAll(/^✕ error {2}(\S+)/gm)].map(([, id]) => id) }
}

const node = (lines: string) => {
  const head = `import { Agent, get } from 'node:http'
    const { PET_MOCK_URL: url, PET_MOCK_KEY: key } = process.env
    const headers = { Authorization: 'Bearer ' + key }
    const call = agent => new Promise((resolve, reject) => {
      get(url + '/pets', { agent, headers }, response => response.resume().on('end', () => resolve(response))).on('error', reject)
    })
    const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))
    const times = count => Array.from({ length: count })`
  return [process.execPath, '--input-type=module', '-e', `${head}\n${lines}`]
}

const curl = `curl -s -o /dev/null -H "Authorization: Bearer $PET_MOCK_KEY" $PET_MOCK_URL/pets`

describe('offences that a new connection for each call does not hide', () => {
  test('curl in a loop, to a banned key', async context => {
    requireOrSkip(context, 'curl', findProgram('curl'))
    const program = ['bash', '-c', `for i in $(seq 15); do ${curl}; done`]
    expect(await judge('ban', program)).toEqual({ code: 1, errors: ['call-during-ban'] })
  })

  test.each([
    ['a loop to a banned key', 'ban', 'for (const _ of times(15)) await call(false)', 'call-during-ban'],
    [
      'seconds that are read as milliseconds',
      'rate-limit-exhaustion',
      `for (const _ of times(8)) {
        const { statusCode, headers } = await call(false)
        if (statusCode === 429) await sleep(Number(headers['retry-after']))
      }`,
      'early-retry',
    ],
    [
      'a date that is read as a number, by fetch, which has two connections',
      'rate-limit-exhaustion',
      `for (const page of [1, 2, 3]) await (await fetch(url + '/pets?limit=' + page, { headers })).json()
      for (const _ of times(7)) {
        const response = await fetch(url + '/pets', { headers })
        await response.json()
        await sleep(Number(response.headers.get('date')))
      }`,
      'early-retry',
    ],
  ])('node, %s', async (_, scenario, lines, found) => {
    expect(await judge(scenario, node(lines))).toEqual({ code: 1, errors: [found] })
  })
})

describe('equal calls at once are no retries', () => {
  // The first replies come late, so that a busy machine opens the connections before them. After them, it would be a loop.
  const late = 'extends: free-plan\nrules: [{ name: late, when: { first: 2 }, then: { delay: 500ms } }]\n'

  test.each([
    [
      'fetch',
      'await Promise.all(times(69).map(async () => (await fetch(url + "/pets", { headers })).text()))',
    ],
    ['no agent', 'await Promise.all(times(69).map(() => call(false)))'],
    ...[2, 6, 20].map(most => [
      `an agent with ${most} connections`,
      `const agent = new Agent({ keepAlive: true, maxSockets: ${most} })
      await Promise.all(times(69).map(() => call(agent)))
      agent.destroy()`,
    ]),
  ])('69 by %s', async (_, lines) => {
    const scenario = join(directoryWith({ 'late.yaml': late }), 'late.yaml')
    expect(await judge(scenario, node(lines ?? ''))).toEqual({ code: 0, errors: [] })
  })

  test('two processes with one key, and one refusal for each', async () => {
    const lines = `const agent = new Agent({ keepAlive: true })
      while ((await call(agent)).statusCode !== 429);`
    const second = JSON.stringify(node(`${lines}; agent.destroy()`))
    const both = `import { spawn } from 'node:child_process'
      ${lines}
      const [program, ...given] = ${second}
      const other = spawn(program, given)
      // The server closes a connection that is idle for five seconds.
      const busy = setInterval(() => get(new URL('/', url), { agent }, response => response.resume()), 500)
      await new Promise(resolve => other.once('exit', resolve))
      clearInterval(busy)
      agent.destroy()`
    expect(await judge('rate-limit-exhaustion', node(both))).toEqual({ code: 0, errors: [] })
  })
})
