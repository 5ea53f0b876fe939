import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { machine } from '../../support/machine.ts'
import { spawnCommand, withoutPages } from '../../support/run-command.ts'
import { runInside } from '../../support/run-inside.ts'

/** A server on a machine of its own. `run` takes words without spaces, and names files of the machine by their names. */
async function server(files: Readonly<Record<string, string>> = {}, ...args: string[]) {
  const here = machine()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(here.directory, name), text)
  const { ready } = await here.serve('--clock', 'frozen', ...args)
  const call = (target: string, init: RequestInit = {}) =>
    fetch(`${ready.url}${target}`, { headers: { Authorization: 'Bearer demo-free' }, ...init })
  const run = async (line: string) => {
    const words = line
      .split(' ')
      .map(word => (Object.hasOwn(files, word) ? join(here.directory, word) : word))
    const which = /--(?:url|port) /.test(line) ? [] : ['--url', ready.url]
    const { code, stdout, stderr } = await runInside([...words, ...which])
    const short = (text: string) => text.replaceAll(`${here.directory}/`, '')
    return { code, stdout: short(stdout), stderr: short(withoutPages(stderr)) }
  }
  /** Runs each line, and compares what it prints. */
  const runAll = async (lines: readonly (readonly [line: string, shown: string | RegExp])[]) => {
    for (const [line, shown] of lines) {
      const { code, stdout, stderr } = await run(line)
      const expected = typeof shown === 'string' ? shown : expect.stringMatching(shown)
      expect([line, code, stderr, stdout.trimEnd()]).toEqual([line, 0, '', expected])
    }
  }
  const runWrong = async (lines: readonly (readonly [line: string, code: number, message: RegExp])[]) => {
    for (const [line, code, message] of lines) {
      const expected = { line, code, stdout: '', stderr: expect.stringMatching(message) }
      expect({ line, ...(await run(line)) }).toEqual(expected)
    }
  }
  return { ...here, real: here.run, ready, call, run, runAll, runWrong }
}

const mine = `title: Mine
description: A scenario of a test.
extends: base.yaml
key: demo-pro
pets: { count: 3 }
walkthrough: [{ advance: 60s }]
`

it('runs as commands', async () => {
  const { real } = await server({ 'gone.yaml': 'then: { status: 410 }' })
  const lines: readonly (readonly [line: string, shown: RegExp])[] = [
    ['scenarios use ban', /\(ban\)/],
    ['rules add gone.yaml', /^rule-1 {2}never acted, added\n/],
    ['rules', /^rule-1 /],
    ['pets --limit 1', /^1 /],
    ['pets add --name Rex --category-id 1', /^101 {2}Rex/],
  ]
  for (const [line, shown] of lines)
    expect([line, await real(line)]).toMatchObject([line, { code: 0, stdout: expect.stringMatching(shown) }])
})

describe('scenarios use', () => {
  it('shows the running scenario, and switches to a shipped one or to a file', async () => {
    const { runAll, call, run, ready } = await server({
      'mine.yaml': mine,
      'base.yaml': 'extends: free-plan\nkeys: { demo-free: { used: { minute: 60 } } }\n',
    })
    await runAll([
      ['scenarios use', /^Free plan \(free-plan\) {2}key demo-free\n/],
      ['scenarios use ban', /^A banned key \(ban\) {2}key demo-free\n|\(ban\)/],
      ['scenarios use mine.yaml', 'Mine (mine.yaml)  key demo-pro\nA scenario of a test.'],
      ['scenarios use --json', /^\{"name":"mine\.yaml","title":"Mine",/],
      ['scenarios use outage --sandbox w1', /\(outage\)/],
      ['scenarios use', /\(mine\.yaml\)/],
    ])
    expect((await call('/pets')).status).toBe(429)
    const pro = await call('/pets', { headers: { Authorization: 'Bearer demo-pro' } })
    expect(await pro.json()).toHaveLength(3)
    expect((await run(`scenarios use free-plan --port ${new URL(ready.url).port}`)).code).toBe(0)
    expect((await call('/pets')).status).toBe(200)
  })

  it('takes the fixtures that a file needs', async () => {
    const own = machine()
    const folder = join(own.directory, 'data')
    mkdirSync(folder)
    writeFileSync(join(folder, 'keys.yaml'), 'my-app: pro\n')
    writeFileSync(join(own.directory, 'mine.yml'), 'extends: free-plan\nkey: my-app\n')
    await own.serve('--fixtures', folder)
    expect((await own.run(`scenarios use mine.yml --fixtures ${folder}`)).stdout).toMatch(/key my-app/)
    expect(await own.run('scenarios use mine.yml')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^mine\.yml:2:6: key: /),
    })
  })

  it('reports what is wrong', async () => {
    const { runWrong } = await server({ 'wrong.yaml': 'extends: free-plan\npets: { cuont: 3 }\n' })
    await runWrong([
      ['scenarios use bna', 1, /^scenario: no shipped scenario is named "bna"; did you mean ban\?\n$/],
      [
        'scenarios use wrong.yaml',
        2,
        /^wrong\.yaml:2:9: pets\.cuont: unknown field; did you mean count\?\n$/,
      ],
      ['scenarios use none.yaml', 2, /^there is no file none\.yaml in /],
      ['scenarios use ban --url http://127.0.0.1:9 --port 9', 2, /^Give --url or --port, not both\.\n$/],
      ['scenarios use ban --port 0', 2, /^--port: expected a port from 1 to 65535/],
      ['scenarios use ban --port 9', 3, /^No server can be reached at http:\/\/127\.0\.0\.1:9 /],
    ])
  })
})

describe('rules', () => {
  const two = `title: Two rules
rules:
  - { name: first two fail, match: { operation: listPets }, when: { first: 2 }, then: { status: 503 } }
  - { name: slow, match: { operation: listPets }, then: { status: 504 } }
`

  it('adds the rules of a file in its order, lists what they did, and deletes them', async () => {
    const { runAll, call, run } = await server({
      'two.yaml': two,
      'one.json': '{ "name": "gone", "then": { "status": 410 } }',
      'list.yaml': '- then: { delay: 1ms }\n',
    })
    await runAll([
      ['rules', 'There are no rules.'],
      ['rules add two.yaml', /^first two fail {2}never acted, added\n {2}\{ match: .*\nslow {2}never/],
    ])
    const statuses = []
    for (let made = 0; made < 3; made += 1) statuses.push((await call('/pets')).status)
    expect(statuses).toEqual([503, 503, 504])
    await runAll([
      ['rules', /^first two fail {2}acted 2 times, added\n.*\nslow {2}acted once, added\n/],
      ['rules delete slow', 'deleted slow  acted once'],
      ['rules add one.json', /^gone {2}never acted, added\n {2}\{ then: \{ status: 410 /],
      ['rules add list.yaml --sandbox w1 --json', /^\{"rules":\[\{"name":"rule-1",/],
      ['rules list --sandbox w1', /^rule-1 /],
    ])
    expect((await call('/pets/1')).status).toBe(410)
    expect(await run('rules delete slwo')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^There is no rule/),
    })
  })

  it('switches a rule off and on', async () => {
    const { runAll, runWrong, call } = await server({
      'one.json': '{ "name": "gone", "then": { "status": 410 } }',
    })
    await runAll([
      ['rules add one.json', /^gone/],
      ['rules change gone --off', /^gone {2}never acted, off, added\n/],
    ])
    expect((await call('/pets/1')).status).toBe(200)
    await runAll([['rules change gone --on', /^gone {2}never acted, added\n/]])
    expect((await call('/pets/1')).status).toBe(410)
    await runWrong([
      ['rules change gone', 2, /^Expected --on or --off\.\n$/],
      ['rules change gone --on --off', 2, /^Expected --on or --off\.\n$/],
      ['rules change gon --off', 1, /^There is no rule "gon"; did you mean gone\?\n$/],
    ])
  })

  it('reads standard input', async () => {
    const { env, call } = await server()
    const adding = spawnCommand(['rules', 'add', '-'], { env, input: '{ then: { status: 418 } }' })
    expect(await adding.ended).toMatchObject({ code: 0, stderr: '' })
    expect((await call('/pets')).status).toBe(418)
    const wrong = spawnCommand(['rules', 'add', '-'], { env, input: 'then:\n  status: 999\n' })
    const message = /^standard input:2:11: then\.status: expected a status from 200 to 599, found 999\n$/
    expect(await wrong.ended).toMatchObject({ code: 2, stderr: expect.stringMatching(message) })
    const large = spawnCommand(['rules', 'add', '-'], { env, input: `# ${'x'.repeat(3 * 2 ** 20)}` })
    expect(await large.ended).toMatchObject({ code: 2, stderr: expect.stringMatching(/larger than 1 MiB/) })
  })

  it('names mistakes with line and column', async () => {
    const files: readonly (readonly [text: string, code: number, message: RegExp])[] = [
      [
        '- then: { status: 99 }\n',
        2,
        /^f\.yaml:1:19: \[0\]\.then\.status: expected a status from 200 to 599, found 99\n$/,
      ],
      ['then: { staus: 503 }\n', 2, /^f\.yaml:1:9: then\.staus: unknown field; did you mean status\?\n/],
      ['rules:\n  - then: {\n', 2, /^f\.yaml:\d+:\d+: /],
      [
        'rules: []\npets: { count: 1 }\n',
        2,
        /^f\.yaml:2:1: pets: unknown field.*\nFor a whole scenario: pet-mock scenarios use f\.yaml\n$/,
      ],
      [
        '- { name: a, then: { status: 500 } }\n- { name: a, then: { status: 500 } }\n',
        2,
        /^f\.yaml:2:3: \[1\]: can never act|^f\.yaml:2:11: \[1\]\.name: rules\[0\] is also named "a"/,
      ],
      [
        '- { name: a, match: { key: nobody }, then: { status: 500 } }\n- { name: b, then: { status: 500 } }\n',
        1,
        /^f\.yaml:1:28: \[0\]\.match\.key: unknown key "nobody"; known are [^.]*\.?\n$/,
      ],
      ['\u00e9'.repeat(600_000), 2, /the limit is 1,048,576/],
    ]
    const { run, directory } = await server({ 'f.yaml': '' })
    for (const [text, code, message] of files) {
      writeFileSync(join(directory, 'f.yaml'), text)
      const expected = { text, code, stdout: '', stderr: expect.stringMatching(message) }
      expect({ text, ...(await run('rules add f.yaml')) }).toEqual(expected)
      expect((await run('rules')).stdout).toBe('There are no rules.\n')
    }
  })

  it('adds all rules of a file or none, and names those that replaced others', async () => {
    const { run } = await server({
      'b.yaml': 'name: b\nthen: { status: 500 }\n',
      'three.yaml':
        '- { match: { key: nobody }, then: { status: 500 } }\n- { name: b, then: { delay: 1ms } }\n- { name: c, then: { delay: 1ms } }\n',
    })
    expect((await run('rules add b.yaml')).code).toBe(0)
    expect(await run('rules add three.yaml')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Of this file, these rules replaced others: b\.\n$/),
    })
    const { rules } = JSON.parse((await run('rules --json')).stdout)
    expect(rules.map(({ name }: { name: string }) => name)).toEqual(['b'])
  })
})

describe('keys and sandboxes', () => {
  it('changes a key', async () => {
    const { runAll, runWrong, call } = await server()
    await runAll([
      ['keys change demo-free --used-minute 60', /demo-free +free +0\/60 +940\/1,000$|demo-free/],
      [
        'keys change demo-free --limit-minute 61 --expires never --json',
        /"limits":\{"minute":61,"day":1000\}/,
      ],
    ])
    expect([(await call('/pets')).status, (await call('/pets')).status]).toEqual([200, 429])
    await runAll([
      ['keys change demo-free --plan pro --revoked true --json', /"plan":"pro",.*"revoked":true/],
    ])
    expect((await call('/pets')).status).toBe(401)
    await runAll([['keys change demo-free --revoked false --json', /"revoked":false/]])
    await runWrong([
      ['keys change demo-free', 2, /^Expected at least one of --plan, --used-minute, .*--expires\.\n$/],
      ['keys change demo-fre --plan pro', 1, /did you mean demo-free\?\n$/],
      ['keys change demo-free --plan prp', 1, /did you mean pro\?\n$/],
      ['keys change demo-free --expires soon', 2, /^--expires: expected an instant/],
    ])
  })

  it('lists and deletes sandboxes', async () => {
    const { runAll, runWrong, call } = await server()
    await call('/pets', { headers: { Authorization: 'Bearer demo-free+w1' } })
    await runAll([
      ['sandboxes', /^default +free-plan .*\nw1 +free-plan /],
      ['sandboxes delete w1', 'deleted w1'],
      ['sandboxes list', /^default +free-plan [^\n]*$/],
    ])
    await runWrong([['sandboxes delete w1', 1, /^There is no sandbox w1\.\n$/]])
  })
})

describe('pets', () => {
  it('lists, adds, changes and deletes pets', async () => {
    const { runAll, call } = await server({
      'more.yaml':
        '- { name: Mia, categoryId: 2 }\n- { name: Bo, categoryId: 9007199254740993, status: sold }\n',
      'one.json': '{ "name": "Max", "categoryId": 3 }',
    })
    await runAll([
      ['pets', /^( *\d+ {2}.+\n){20}100 pets in all\. The next ones: pet-mock pets --after 20$/],
      ['pets --after 98', /^ 99 .*\n100 /],
      [
        'pets --status sold --limit 1',
        /sold\n100 pets in all\. The next ones: pet-mock pets --status sold --after \d+$/,
      ],
      ['pets --after 100', 'None matches. The store has 100 pets.'],
      ['pets add --name Rex --category-id 1', '101  Rex  category 1  no status'],
      ['pets change 101 --status sold --name Roxy', '101  Roxy  category 1  sold'],
      ['pets change 101 --status none', '101  Roxy  category 1  no status'],
      [
        'pets add more.yaml',
        '102  Mia  category 2                 no status\n103  Bo   category 9007199254740993  sold',
      ],
      ['pets add one.json --json', '{"id":104,"name":"Max","categoryId":3}'],
      ['pets change 103 --category-id 9007199254740995 --json', /"categoryId":"9007199254740995"/],
      ['pets delete 104', 'deleted 104 (Max)'],
      ['pets --after 103 --sandbox default', /^None matches\. The store has 103 pets\.$/],
    ])
    expect((await call('/pets/104')).status).toBe(404)
    expect(await (await call('/pets/101')).json()).toEqual({ id: 101, name: 'Roxy', categoryId: 1 })
  })

  it('adds no pet of a file with a wrong one, and names that', async () => {
    const pet = '{ name: Rex, categoryId: 1 }'
    const { runAll, runWrong } = await server({ 'f.yaml': `- ${pet}\n- { name: Mia, id: 7 }\n- ${pet}\n` })
    await runWrong([
      [
        'pets add f.yaml',
        2,
        /^f\.yaml:2:3: \[1\]: categoryId is missing: .*\nf\.yaml:2:16: \[1\]\.id: unknown field; .*\n$/,
      ],
    ])
    await runAll([['pets --after 100', /^None matches\. The store has 100 pets\.$/]])
  })

  it('reports what is wrong', async () => {
    const { runWrong } = await server({ 'f.yaml': '{ name: Rex, categoryId: x }\n' })
    await runWrong([
      [
        'pets add',
        2,
        /^Expected: pet-mock pets add --name Rex --category-id 1, or pet-mock pets add FILE\n$/,
      ],
      ['pets add --name Rex', 2, /^Expected: /],
      ['pets add f.yaml --name Rex', 2, /^Give a file or flags, not both: /],
      [
        'pets add f.yaml',
        2,
        /^f\.yaml:1:26: categoryId: expected a whole number of at most 64 bits, found "x"\n$/,
      ],
      ['pets add --name Rex --category-id 1.5', 2, /^--category-id: expected a whole number/],
      ['pets change 5', 2, /^Expected at least one of --name, --category-id, --status\.\n$/],
      [
        'pets change five --name Rex',
        2,
        /^ID: expected a whole number of at most 64 bits, such as 5, found "five"\n$/,
      ],
      ['pets delete', 2, /^Expected: pet-mock pets delete ID\n$/],
      ['pets delete 999', 1, /999/],
      [
        'pets --status old',
        2,
        /^--status: expected one of available, pending, sold, found "old"; did you mean sold\?\n$/,
      ],
    ])
  })
})
