import { spawn, spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { listenHttp } from '../../support/listen.ts'
import { findProgram, needPosix, requireOrSkip } from '../../support/requirements.ts'
import { runCommand, serveJson, spawnCommand, withoutPages } from '../../support/run-command.ts'

needPosix('shell')

const bundle = fileURLToPath(new URL('../../../dist/pet-mock.cjs', import.meta.url))

/** A command that is a few lines of JavaScript. */
const js = (text: string) => ['--', process.execPath, '--input-type=module', '-e', text]

/** A command that prints each signal and runs on. */
const stubborn = js(
  `for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => console.log(signal))
  setInterval(() => {}, 1_000)
  console.log('up')`,
)

const callsOnce = `const { PET_MOCK_URL: url, PET_MOCK_KEY: key } = process.env
  const response = await fetch(url + '/pets', { headers: { Authorization: 'Bearer ' + key } })
  console.log(response.status, response.headers.get('X-RateLimit-Remaining'))`

const nothingJudged =
  'pet-mock: Nothing was judged: the command made no call. It finds the base URL in PET_MOCK_URL.\n'

describe('the command', () => {
  it('runs when the server is ready, and owns stdout', async () => {
    const ended = await runCommand(['exec', '-s', 'rate-limit-exhaustion', ...js(callsOnce)])
    expect(ended).toEqual({ code: 0, signal: null, stdout: '200 2\n', stderr: '' })
  })

  it('gets the addresses and the key in its environment, also under other names', async () => {
    const names = [
      'PET_MOCK_URL',
      'PET_MOCK_KEY',
      'PET_MOCK_ADMIN',
      'API_URL',
      'API_KEY',
      'VITE_API',
      'OTHER',
    ]
    const print = js(`console.log(JSON.stringify(${JSON.stringify(names)}.map(name => process.env[name])))`)
    const flags = ['--env', 'API_URL=url,API_KEY=key', '--env', 'VITE_API=admin', '--add-key', 'my-app=pro']
    const { stdout } = await runCommand(['exec', ...flags, ...print], { env: { OTHER: 'kept' } })
    const url = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1$/)
    const admin = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/__admin$/)
    expect(JSON.parse(stdout)).toEqual([url, 'demo-free', admin, url, 'demo-free', admin, 'kept'])
  })

  it.each([
    [['--', 'a b', '$HOME', '"q"', '', '--help', '--port', '1', '--', '-v', '__proto__']],
    // People may write -- twice, as some shells require.
    [['--', '--', 'x']],
  ])('gets its words unchanged: %j', async ([dashes = '', ...words]) => {
    const isTwice = words[0] === '--'
    const program = ['-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '--']
    const rest = isTwice ? words.slice(1) : words
    const args = [dashes, ...(isTwice ? ['--'] : []), process.execPath, ...program, ...rest]
    const { stdout } = await runCommand(['exec', ...args])
    expect(JSON.parse(stdout)).toEqual(rest)
  })

  it('reads the stdin of pet-mock', () => {
    const ended = spawnSync(process.execPath, [bundle, 'exec', '--', 'cat'], {
      input: 'through\n',
      encoding: 'utf8',
    })
    expect(ended).toMatchObject({ status: 0, stdout: 'through\n' })
  })

  it('ends together with the server', async () => {
    const { stdout } = await runCommand(['exec', '--', 'sh', '-c', 'echo $PET_MOCK_URL'])
    await expect(fetch(stdout.trim())).rejects.toThrow()
  })

  it('can move the clock', async () => {
    const { stdout } = await runCommand([
      'exec',
      ...js(`const { PET_MOCK_ADMIN: admin } = process.env
        const headers = { 'Content-Type': 'application/json' }
        const moved = await fetch(admin + '/clock/advance', { method: 'POST', headers, body: '{"by":"60s"}' })
        console.log(moved.status)`),
    ])
    expect(stdout).toBe('200\n')
  })

  it('can be pet-mock again', async () => {
    const inner = js(`import { spawnSync } from 'node:child_process'
      const args = ${JSON.stringify([bundle])}
      const { stdout } = spawnSync(process.execPath, [...args, 'exec', '-s', 'pro-plan', '--', 'sh', '-c', 'echo $PET_MOCK_URL $PET_MOCK_KEY'])
      console.log(process.env.PET_MOCK_URL, process.env.PET_MOCK_KEY, String(stdout).trim())`)
    const { stdout, stderr } = await runCommand(['exec', ...inner])
    const [outerUrl, outerKey, innerUrl, innerKey] = stdout.trim().split(' ')
    expect([outerKey, innerKey]).toEqual(['demo-free', 'demo-pro'])
    expect(stderr).toBe(nothingJudged)
    expect(innerUrl).not.toBe(outerUrl)
  })
})

describe('the log', () => {
  it.each([
    ['json', /^\{"event":"ready",.*\}\n\{"event":"call",.*"status":200.*\}\n$/],
    ['pretty', /Keys[\s\S]*GET \/v1\/pets +200 {2}demo-f…/],
  ])('goes to stderr (%s)', async (format, told) => {
    const ended = await runCommand(['exec', '--log-format', format, ...js(callsOnce)])
    expect(ended).toMatchObject({ code: 0, stdout: '200 59\n', stderr: expect.stringMatching(told) })
  })

  it('reads the environment variables of serve', async () => {
    const env = { PET_MOCK_LOG_FORMAT: 'json', PET_MOCK_SCENARIO: 'ban' }
    const { stderr } = await runCommand(['exec', '--', 'true'], { env })
    expect(JSON.parse(stderr.split('\n')[0] ?? '')).toMatchObject({ event: 'ready', scenario: 'ban' })
  })

  it('keeps its variables from the command', async () => {
    const env = {
      PET_MOCK_SCENARIO: 'ban',
      PET_MOCK_SEED: '7',
      PET_MOCK_FAIL_ON: 'never',
      PET_MOCK_TEST_X: 'y',
    }
    const names = "console.log(Object.keys(process.env).filter(name => name.startsWith('PET_MOCK_')).join())"
    const { stdout } = await runCommand(['exec', ...js(names)], { env })
    expect(stdout.trim().split(',').sort()).toEqual([
      'PET_MOCK_ADMIN',
      'PET_MOCK_KEY',
      'PET_MOCK_TEST_X',
      'PET_MOCK_URL',
    ])
  })
})

describe('the exit code', () => {
  it.each([
    ["is the command's own", 'exit 7', 7],
    ['is 0 after a success', 'exit 0', 0],
    ['reports the signal that ended the command', 'kill -KILL $$', 137],
    ['reports another signal', 'kill -TERM $$', 143],
  ])('%s', async (_, script, code) => {
    expect(await runCommand(['exec', '--', 'sh', '-c', script])).toEqual({
      code,
      signal: null,
      stdout: '',
      stderr: code === 0 ? nothingJudged : '',
    })
  })
})

describe('a command that cannot be run', () => {
  const files = {
    'text.txt': 'x',
    'orphan.sh': '#!/no/such/interpreter\n',
    'node_modules/.bin/my-tests': '#!/bin/sh\n',
  }

  it.each<[command: readonly string[], code: number, told: string]>([
    [['no-such-program'], 127, 'no-such-program: command not found. It is not in any directory of PATH.'],
    [['./nope'], 127, './nope: command not found.'],
    [
      ['my-tests', '-v'],
      127,
      'my-tests: command not found. It is in node_modules/.bin: did you mean npx my-tests?',
    ],
    [
      ['npm test'],
      127,
      "'npm test': command not found. It is one word with spaces: remove the quotes, or use sh -c 'npm test'",
    ],
    [['./text.txt'], 126, './text.txt cannot be run: it is not executable; use chmod +x.'],
    [['./node_modules'], 126, './node_modules cannot be run: it is a directory.'],
    [
      ['./orphan.sh'],
      126,
      './orphan.sh cannot be run: the interpreter that its first line names does not exist.',
    ],
    [['./text.txt/x'], 126, './text.txt/x cannot be run (spawn ENOTDIR).'],
  ])('%j', async (command, code, told) => {
    const cwd = directoryWith(files)
    chmodSync(join(cwd, 'orphan.sh'), 0o755)
    const ended = await runCommand(['exec', '--', ...command], { cwd })
    expect({ ...ended, stderr: ended.stderr.replace(/spawn \S+ ENOTDIR/, 'spawn ENOTDIR') }).toEqual({
      code,
      signal: null,
      stdout: '',
      stderr: `${told}\n`,
    })
  })
})

describe('a failed start does not run the command', () => {
  const line = (text: string) => ['exec', ...text.split(' ').filter(word => word !== '')]
  const yarn = '(PowerShell, "npm exec" and Yarn 1 remove one --. There, type -- -- instead.)'

  it.each<[text: string, told: string | RegExp]>([
    ['-s bam -- echo run', /^--scenario: "bam" is neither .* Did you mean ban\?/],
    ['-s bad.yaml -- echo run', 'bad.yaml:1:1: kee: unknown field; did you mean key?'],
    ['--prot 1 -- echo run', '--prot is not a flag of this command; did you mean --port?'],
    ['--env A=ur -- echo run', '--env: expected one of url, key, admin for A, found "ur"; did you mean url?'],
    ['--env A -- echo run', '--env: expected NAME=url|key|admin, such as API_URL=url, found "A"'],
    ['--env 1A=url -- echo run', '--env: expected NAME=url|key|admin, such as API_URL=url, found "1A=url"'],
    ['--env A=url,A=key -- echo run', '--env: A is given more than once'],
    ['', 'Expected: pet-mock exec -- COMMAND, such as pet-mock exec -- npm test'],
    ['--', 'Expected: pet-mock exec -- COMMAND, such as pet-mock exec -- npm test'],
    ['echo run', `-- is missing before "echo"; did you mean: pet-mock exec -- echo run\n${yarn}`],
    [
      '-s ban --watch npm test --ci -- --bail',
      `-- is missing before "npm"; did you mean: pet-mock exec -s ban --watch -- npm test --ci -- --bail\n${yarn}`,
    ],
  ])('exit code 2: pet-mock exec %s', async (text, told) => {
    const cwd = directoryWith({ 'bad.yaml': 'kee: x\n' })
    const { code, stdout, stderr } = await runCommand(line(text), { cwd })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    if (typeof told === 'string') expect(withoutPages(stderr)).toBe(`${told}\n`)
    else expect(stderr).toMatch(told)
  })

  it('exit code 2: an empty command', async () => {
    const { code, stderr } = await runCommand(['exec', '--', ''])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'The command after -- is empty. Is a variable unset?\n',
    })
  })

  it('exit code 3: the port is taken', async () => {
    const { port } = await listenHttp(() => {})
    const { code, stdout, stderr } = await runCommand(['exec', '-p', `${port}`, '--', 'echo', 'run'])
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toContain(`Port ${port} on 127.0.0.1 is in use by`)
  })

  it('takes a free port beside another server', async () => {
    await serveJson()
    expect(await runCommand(['exec', '--', 'echo', 'run'])).toMatchObject({ code: 0, stdout: 'run\n' })
  })
})

describe('signals', () => {
  it.each<[NodeJS.Signals, number]>([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('%s ends a command: exit code %d', async (signal, code) => {
    const { child, until, ended } = spawnCommand(['exec', '--', 'sh', '-c', 'echo up; exec sleep 60'])
    await until(/up/)
    child.kill(signal)
    expect(await ended).toMatchObject({ code, stderr: '' })
  })

  it('leave a command time to end with its own exit code', async () => {
    const { child, until, ended } = spawnCommand([
      'exec',
      ...js(`process.on('SIGTERM', () => setTimeout(async () => { ${callsOnce}; process.exit(5) }, 100))
        setInterval(() => {}, 1_000)
        console.log('up')`),
    ])
    await until(/up/)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 5, stdout: 'up\n200 59\n', stderr: '' })
  })

  it('kill a command that ignores the first one', async () => {
    const { child, until, untilTold, ended } = spawnCommand(['exec', ...stubborn])
    await until(/up/)
    child.kill('SIGTERM')
    await until(/SIGTERM/)
    await untilTold(/is still running 3 s after SIGTERM: the next signal kills it\.\n/)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 137, stdout: 'up\nSIGTERM\n' })
  }, 20_000)
})

describe('on a terminal', () => {
  const isTerminal = `import { isatty } from 'node:tty'
    console.log('terminal', [0, 1, 2].map(isatty).join())`
  /** Sent to pet-mock alone, a SIGINT is as good as typed; the SIGTERM behind it is passed on. */
  const countsSignals = `let count = 0
    process.on('SIGINT', () => console.log('SIGINT ' + ++count))
    process.on('SIGTERM', () => { console.log('in all ' + count); process.exit(4) })
    process.stdin.once('data', () => {
      process.kill(process.ppid, 'SIGINT')
      process.kill(process.ppid, 'SIGTERM')
    })
    console.log('up')`

  /** The command on a terminal of its own; `type` types there. */
  function onTerminal(script: string, text: string) {
    const file = join(directoryWith({ 'command.mjs': text }), 'command.mjs')
    // A shell in between, such as dash, would end by the Ctrl+C too: what ends is to be pet-mock.
    const line = `exec "${process.execPath}" "${bundle}" exec -- "${process.execPath}" "${file}"`
    const child = spawn(script, ['-qec', line, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] })
    onTestFinished(() => {
      child.kill('SIGKILL')
    })
    let output = ''
    let look = () => {}
    child.stdout.setEncoding('utf8').on('data', chunk => {
      output += chunk
      look()
    })
    const ended = new Promise<number | null>(resolve => child.once('close', resolve))
    const until = (pattern: RegExp) =>
      new Promise<void>((resolve, reject) => {
        look = () => {
          if (pattern.test(output)) resolve()
        }
        look()
        ended.then(() => reject(new Error(`It ended without ${pattern}: ${output}`)))
      })
    return { until, ended, output: () => output, type: (keys: string) => child.stdin.write(keys) }
  }

  it('the command keeps it', async context => {
    const script = requireOrSkip(context, 'script (util-linux)', findProgram('script'))
    const { ended, output } = onTerminal(script, isTerminal)
    expect(await ended).toBe(0)
    expect(output()).toContain('terminal true,true,true')
  })

  it('a Ctrl+C reaches the command once, and the command decides what to do', async context => {
    const script = requireOrSkip(context, 'script (util-linux)', findProgram('script'))
    const { until, ended, type } = onTerminal(script, countsSignals)
    await until(/up/)
    type('\x03')
    await until(/SIGINT 1/)
    type('more\n')
    await until(/in all 1\r\n/)
    expect(await ended).toBe(4)
  })

  it('the third Ctrl+C kills a command that ignores it', async context => {
    const script = requireOrSkip(context, 'script (util-linux)', findProgram('script'))
    const ignores = `let count = 0
      process.on('SIGINT', () => console.log('SIGINT ' + ++count))
      setInterval(() => {}, 1_000)
      console.log('up')`
    const { until, ended, type } = onTerminal(script, ignores)
    await until(/up/)
    type('\x03')
    await until(/SIGINT 1/)
    await setTimeout(100)
    type('\x03')
    await until(/a third Ctrl\+C kills it/)
    await setTimeout(100)
    type('\x03')
    expect(await ended).toBe(137)
  })
})
