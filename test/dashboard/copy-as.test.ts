import { execFile } from 'node:child_process'
import { type AddressInfo, createServer } from 'node:net'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import {
  type CallToCopy,
  headersToCopy,
  toCurl,
  toFetch,
  toPython,
} from '../../src/dashboard/copy/copy-forms.ts'
import { findProgram, needPosix, requireOrSkip } from '../support/requirements.ts'

needPosix('shell')

const hostile = `'; rm -rf ~; "$(touch /tmp/x)" \`id\` $HOME <b>x</b> \\ \n !! #`

const usual: CallToCopy = {
  origin: 'http://127.0.0.1:7387',
  method: 'GET',
  target: '/v1/pets?limit=2',
  headers: [],
  authorization: 'Bearer demo-free',
  body: null,
  cutFrom: null,
}

test('a curl line is short where nothing is special', () => {
  expect(toCurl(usual)).toBe(
    "curl --globoff --path-as-is 'http://127.0.0.1:7387/v1/pets?limit=2' \\\n  --header 'Authorization: Bearer demo-free'",
  )
})

test('a key that the server does not know is not copied', () => {
  const call = { ...usual, authorization: 'Bearer $API_KEY' }
  expect(toCurl(call)).toContain('--header "Authorization: Bearer $API_KEY"')
  expect(toFetch(call)).toContain('Authorization: `Bearer ${process.env.API_KEY}`')
})

test('headers of the first connection and masked values are left out', () => {
  const headers = { host: 'x', 'content-length': '3', cookie: 'a=se…', accept: '*/*', 'x-two': ['1', '2'] }
  expect(headersToCopy(headers)).toEqual([
    ['accept', '*/*'],
    ['x-two', '1'],
    ['x-two', '2'],
  ])
})

interface Sent {
  readonly first: string
  readonly headers: readonly string[]
  readonly body: string
}

/** What reaches a server byte for byte: Node's own parser would refuse some of it. */
async function record(send: (origin: string) => Promise<unknown>): Promise<Sent> {
  let received = ''
  const server = createServer(socket => {
    socket.setEncoding('utf8')
    socket.on('error', () => {})
    socket.on('data', (text: string) => {
      received += text
      const [head = '', body = ''] = received.split('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (received.includes('\r\n\r\n') && Buffer.byteLength(body) >= length)
        socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    await send(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.close()
  }
  const [head = '', body = ''] = received.split('\r\n\r\n')
  const [first = '', ...headers] = head.split('\r\n')
  return { first, headers: headers.map(asLine), body }
}

/** `name: value`, with the name in lower case. */
function asLine(header: string): string {
  const [name = '', value = ''] = header.split(/:(.*)/s)
  return `${name.toLowerCase()}: ${value.trim()}`
}

const calls: readonly (readonly [string, CallToCopy])[] = [
  ['a hostile body', { ...usual, method: 'POST', body: hostile }],
  ['a body that names a file', { ...usual, method: 'PATCH', body: '@/etc/passwd' }],
  ['a hostile path', { ...usual, target: '/v1/pets/\';$(id);`id`;"{a,b}[1-3]/../<b>x</b>' }],
  ['a hostile header', { ...usual, headers: [['x-note', `'; rm -rf ~; "$(id)" <b>x</b>`]] }],
  ['an empty header', { ...usual, headers: [['x-empty', '']] }],
  [
    'a hostile name',
    { ...usual, method: 'POST', body: JSON.stringify({ name: `'''""" '; rm -rf ~ $(x)\n\\N{BULLET} 🐈` }) },
  ],
  ['a strange method', { ...usual, method: "BR'EW", body: 'x' }],
  ['HEAD', { ...usual, method: 'HEAD' }],
  ['a target that is no path', { ...usual, method: 'OPTIONS', target: '*' }],
]

const run = promisify(execFile)

test.for(calls)('a real shell and a real curl send %s as it is', async ([, call], { skip }) => {
  requireOrSkip({ skip }, 'curl', findProgram('curl'))
  const sent = await record(origin =>
    run('sh', ['-c', `${toCurl({ ...call, origin })} --silent --max-time 60`], { timeout: 100_000 }),
  )
  expect(sent.first).toBe(`${call.method} ${call.target} HTTP/1.1`)
  expect(sent.body).toBe(call.body ?? '')
  expect(sent.headers).toEqual(
    expect.arrayContaining(call.headers.map(([name, value]) => `${name}: ${value}`)),
  )
  expect(sent.headers).toContain('authorization: Bearer demo-free')
  expect(sent.headers.filter(line => line.startsWith('content-type'))).toEqual([])
})

test.for(calls.filter(([, { target }]) => target === usual.target))(
  'fetch sends %s as it is',
  async ([, call]) => {
    if (call.method === "BR'EW") return
    const sent = await record(origin =>
      new Function(`return (async () => {${toFetch({ ...call, origin })}})()`)(),
    )
    expect(sent.first).toBe(`${call.method} ${call.target} HTTP/1.1`)
    expect(sent.body).toBe(call.body ?? '')
    expect(sent.headers).toEqual(
      expect.arrayContaining(call.headers.map(([name, value]) => `${name}: ${value}`)),
    )
    expect(sent.headers.filter(line => line.startsWith('content-type'))).toEqual([])
  },
)

test.for(calls)('Python sends %s as it is', async ([, call], { skip }) => {
  requireOrSkip({ skip }, 'python3', findProgram('python3'))
  const sent = await record(origin =>
    run('python3', ['-c', toPython({ ...call, origin })], { timeout: 100_000 }),
  )
  expect(sent.first).toBe(`${call.method} ${call.target} HTTP/1.1`)
  expect(sent.body).toBe(call.body ?? '')
  expect(sent.headers).toEqual(
    expect.arrayContaining(call.headers.map(([name, value]) => `${name}: ${value}`)),
  )
  expect(sent.headers).toContain('authorization: Bearer demo-free')
  expect(sent.headers.filter(line => line.startsWith('content-type'))).toEqual([])
})

test('an environment variable brings the key to Python, and repeated headers are joined', async ({
  skip,
}) => {
  requireOrSkip({ skip }, 'python3', findProgram('python3'))
  const call: CallToCopy = {
    ...usual,
    authorization: 'Bearer $API_KEY',
    headers: [
      ['x-two', '1'],
      ['x-two', '2'],
    ],
  }
  const sent = await record(origin =>
    run('python3', ['-c', toPython({ ...call, origin })], {
      env: { ...process.env, API_KEY: `a'b"c $HOME` },
    }),
  )
  expect(sent.headers).toEqual(expect.arrayContaining([`authorization: Bearer a'b"c $HOME`, 'x-two: 1, 2']))
})

test('an environment variable brings the key', async ({ skip }) => {
  requireOrSkip({ skip }, 'curl', findProgram('curl'))
  const call = { ...usual, authorization: 'Bearer $API_KEY' }
  const sent = await record(origin =>
    run('sh', ['-c', toCurl({ ...call, origin })], { env: { ...process.env, API_KEY: `a'b"c $HOME` } }),
  )
  expect(sent.headers).toContain(`authorization: Bearer a'b"c $HOME`)
})

test('what a terminal would take as keys is escaped, and bash sends it as it is', async ({ skip }) => {
  requireOrSkip({ skip }, 'curl', findProgram('curl'))
  const bash = requireOrSkip({ skip }, 'bash', findProgram('bash'))
  // Ends a paste, cancels the line, deletes it and begins another one: then the rest would be typed.
  const body = `\u001b[201~\u0003\u0015\r\nid; '!!' \\n \u007f\u009b31m ü 🐈 "$(id)"\n`
  const call = { ...usual, method: 'POST', body }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: These are the ones.
  expect(toCurl(call)).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f]/)
  const sent = await record(origin =>
    run(bash, ['-c', `${toCurl({ ...call, origin })} --silent --max-time 60`], { timeout: 100_000 }),
  )
  expect(sent.body).toBe(body)
})
