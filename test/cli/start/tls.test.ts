import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:https'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { trustCertificate } from '../../../src/cli/commands/exec/trust-certificate.ts'
import { cacheFolder, ownCertificate } from '../../../src/cli/start/state/load-tls.ts'
import { directoryWith } from '../../support/directory.ts'
import { runCommand, serveJson, withoutPages } from '../../support/run-command.ts'

const day = 86_400_000

/** A user of their own: cache and temporary files. */
function aUser() {
  const folder = directoryWith({})
  return { folder, env: { XDG_CACHE_HOME: folder, TMPDIR: folder } }
}

/** The text with another private key in it. */
function otherKey(text: string): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
  return text.replace(/-----BEGIN PRIVATE KEY-----[\s\S]*?-----END PRIVATE KEY-----\n/, `${key}`)
}

function statusOf(url: string, ca: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: 'Bearer demo-free' }
    const sent = request(url, { ca, headers, agent: false }, response => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.on('error', reject).end()
  })
}

async function until(isTrue: () => boolean): Promise<void> {
  await expect.poll(isTrue, { interval: 20 }).toBe(true)
}

describe('the certificate of --tls', () => {
  it('is for localhost, 127.0.0.1 and ::1, of the user alone, and kept', async () => {
    const { env, folder } = aUser()
    const { ready } = await serveJson(['--tls'], { env })
    const { url, certificate = '' } = ready
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/v1$/)
    expect(certificate).toBe(join(folder, 'pet-mock', 'localhost.crt'))
    const ca = readFileSync(certificate, 'utf8')
    expect(ca).not.toContain('PRIVATE')
    expect(await statusOf(`${url}/pets`, ca)).toBe(200)
    expect(await statusOf(`${url.replace('127.0.0.1', 'localhost')}/pets`, ca)).toBe(200)
    expect(new X509Certificate(ca).subjectAltName).toBe(
      'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
    )
    for (const name of ['localhost.crt', 'localhost.pem'])
      expect(statSync(join(folder, 'pet-mock', name)).mode & 0o777).toBe(0o600)
    const again = await serveJson(['--tls'], { env })
    expect(await statusOf(`${again.ready.url}/pets`, ca)).toBe(200)
  })

  it('is the same for servers that start at once', async () => {
    const { folder } = aUser()
    const made = await Promise.all(Array.from({ length: 5 }, () => ownCertificate(folder, Date.now())))
    expect(new Set(made.map(({ cert, key }) => cert + key)).size).toBe(1)
    expect(readFileSync(join(folder, 'localhost.crt'), 'utf8')).toBe(made[0]?.cert)
  })

  it.each<readonly [what: string, damage: (pair: string) => void]>([
    [
      'its key is damaged',
      pair => writeFileSync(pair, readFileSync(pair, 'utf8').replace(/Y-----\n.{60}/, 'Y-----\nAAAA')),
    ],
    ['its key is of another certificate', pair => writeFileSync(pair, otherKey(readFileSync(pair, 'utf8')))],
    // Only root can give a file to another user.
    ...(process.getuid?.() === 0
      ? [['another user owns it', (pair: string) => chownSync(pair, 65_534, 65_534)] as const]
      : []),
  ])('is made again when %s', async (_what, damage) => {
    const { folder } = aUser()
    const first = await ownCertificate(folder, Date.now())
    damage(join(folder, 'localhost.pem'))
    const second = await ownCertificate(folder, Date.now())
    expect(second.cert).not.toBe(first.cert)
    expect(new X509Certificate(second.cert).checkPrivateKey(createPrivateKey(second.key))).toBe(true)
    expect(statSync(join(folder, 'localhost.pem')).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toHaveLength(2)
  })

  it.each(['removed', 'old'])('is in the file that the banner names, even if that was %s', async state => {
    const { folder } = aUser()
    const { file, cert } = await ownCertificate(folder, Date.now())
    if (state === 'old') writeFileSync(file, 'an old one')
    else rmSync(file)
    expect((await ownCertificate(folder, Date.now())).cert).toBe(cert)
    expect(readFileSync(file, 'utf8')).toBe(cert)
  })

  it('is the same for servers if one is slow: it removes no certificate that it did not see', async () => {
    const { folder } = aUser()
    const first = ownCertificate(folder, Date.now())
    // Both saw no certificate. The second one begins as the first ends.
    const [one, other] = await Promise.all([first, first.then(() => ownCertificate(folder, Date.now()))])
    expect(other).toEqual(one)
    for (let round = 0; round < 5; round += 1) {
      const { folder: fresh } = aUser()
      const made = await Promise.all(
        Array.from({ length: 4 }, async (_, at) => {
          for (let turn = 0; turn < at * 3; turn += 1) await new Promise(setImmediate)
          return ownCertificate(fresh, Date.now())
        }),
      )
      const kept = readFileSync(join(fresh, 'localhost.crt'), 'utf8')
      expect(made.map(({ cert }) => cert)).toEqual(made.map(() => kept))
    }
  })

  it('is added to the certificates that the user trusts in a file that is never half written', async () => {
    const { folder } = aUser()
    const own = join(folder, 'own.crt')
    const certificate = join(folder, 'localhost.crt')
    writeFileSync(own, 'own\n')
    writeFileSync(certificate, 'localhost\n')
    const env = { XDG_CACHE_HOME: folder, NODE_EXTRA_CA_CERTS: own }
    const trust = async () =>
      (await trustCertificate(certificate, env, () => {})).NODE_EXTRA_CA_CERTS ?? expect.fail('not written')
    const path = await trust()
    const reader = openSync(path, 'r')
    const { ino } = statSync(path)
    // Another file takes its place: a command that is reading the first one reads all of it.
    expect(await trust()).toBe(path)
    expect(statSync(path).ino).not.toBe(ino)
    expect(readFileSync(reader, 'utf8')).toBe('own\nlocalhost\n')
    closeSync(reader)
    expect(readFileSync(path, 'utf8')).toBe('own\nlocalhost\n')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(dirname(path))).toEqual([basename(path)])
  })

  it('is made again when others could read its key', async () => {
    const { folder } = aUser()
    const { cert } = await ownCertificate(folder, Date.now())
    chmodSync(join(folder, 'localhost.pem'), 0o644)
    const again = await ownCertificate(folder, Date.now())
    expect(again.cert).not.toBe(cert)
    expect(statSync(join(folder, 'localhost.pem')).mode & 0o777).toBe(0o600)
  })

  it('is renewed a month before its end, and when its file is broken', async () => {
    const { folder } = aUser()
    const now = Date.now()
    const first = await ownCertificate(folder, now)
    expect(await ownCertificate(folder, now + 330 * day)).toEqual(first)
    const second = await ownCertificate(folder, now + 340 * day)
    expect(second.cert).not.toBe(first.cert)
    expect(Date.parse(new X509Certificate(second.cert).validTo)).toBeGreaterThan(now + 700 * day)
    writeFileSync(join(folder, 'localhost.pem'), 'broken')
    expect((await ownCertificate(folder, now)).cert).not.toBe(second.cert)
  })

  it('is in the cache folder of the system', () => {
    const at = (env: Record<string, string>, system: NodeJS.Platform) => cacheFolder(env, system, '/home/me')
    expect(at({}, 'linux')).toBe('/home/me/.cache/pet-mock')
    expect(at({ XDG_CACHE_HOME: 'relative' }, 'linux')).toBe('/home/me/.cache/pet-mock')
    expect(at({ XDG_CACHE_HOME: '/cache' }, 'darwin')).toBe('/cache/pet-mock')
    expect(at({}, 'darwin')).toBe('/home/me/Library/Caches/pet-mock')
    expect(at({ LOCALAPPDATA: '/local' }, 'win32')).toBe('/local/pet-mock/Cache')
  })

  it.each<readonly [where: string, folder: () => string]>([
    ['below a file', () => join(directoryWith({ file: '' }), 'file')],
    // Node's own way to make folders never ends here.
    ...(process.platform === 'linux' ? [['in /proc', () => '/proc/none/file'] as const] : []),
  ])('is refused with a reason where it cannot be kept: %s', async (_where, folder) => {
    const { code, stderr } = await runCommand(['--tls', '--port', '0'], {
      env: { XDG_CACHE_HOME: folder() },
    })
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /^--tls: cannot keep the certificate in .*file\/pet-mock \(.*\)\. Set XDG_CACHE_HOME/,
      ),
    ])
  })
})

describe('commands for a running server', () => {
  it('trust the certificate in its run file', async () => {
    const { env } = aUser()
    const { ready } = await serveJson(['--tls'], { env })
    for (const args of [['clock'], ['requests'], ['ps'], ['clock', '--url', ready.url]]) {
      const { code, stderr } = await runCommand(args, { env })
      expect([args, code, stderr]).toEqual([args, 0, ''])
    }
  })

  it.each([['clock'], ['health'], ['requests'], ['stop']])('find it by its port: %s', async command => {
    const { env } = aUser()
    const { ready } = await serveJson(['--tls'], { env })
    const { code, stderr } = await runCommand([command, '--port', new URL(ready.url).port], { env })
    expect([code, stderr]).toEqual([0, ''])
  })

  it('name the scheme of a server of another user', async () => {
    const { ready } = await serveJson(['--tls'], { env: aUser().env })
    const url = ready.url.replace('https:', 'http:')
    const { code, stderr } = await runCommand(['clock', '--url', url], { env: aUser().env })
    expect([code, stderr]).toEqual([3, expect.stringContaining(`If it has --tls, its URL is ${ready.url}\n`)])
  })

  it('name it when its port is taken', async () => {
    const { env } = aUser()
    const { port } = new URL((await serveJson(['--tls'], { env })).ready.url)
    const { code, stderr } = await runCommand(['--port', port], { env })
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining(`Stop it with pet-mock stop --url https://127.0.0.1:${port},`),
    ])
  })

  it('trust no other certificate at its address', async () => {
    const { env, folder } = aUser()
    const { ready } = await serveJson(['--tls'], { env })
    const path = join(folder, `pet-mock-${process.getuid?.() ?? 'user'}`, `${ready.pid}.json`)
    const other = await ownCertificate(directoryWith({}), Date.now())
    await until(() => existsSync(path))
    writeFileSync(
      path,
      JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), certificate: other.cert }),
    )
    const { code, stderr } = await runCommand(['clock', '--url', ready.url], { env })
    expect([code, stderr]).toEqual([3, expect.stringContaining('certificate')])
  })
})

describe('exec --tls', () => {
  const call =
    'fetch(`${process.env.PET_MOCK_URL}/pets`, { headers: { Authorization: `Bearer ${process.env.PET_MOCK_KEY}` } }).then(r => console.log(r.status), e => console.log(`${e.cause}`))'

  const tell = "console.log(require('fs').readFileSync(process.env.NODE_EXTRA_CA_CERTS, 'utf8'))"
  const run = (script: string, env: Readonly<Record<string, string>>) =>
    runCommand(['exec', '--tls', '--', process.execPath, '-e', script], { env })

  it('lets commands of Node trust the server', async () => {
    const { env } = aUser()
    const { stdout, stderr } = await run(call, { ...env, NODE_EXTRA_CA_CERTS: '' })
    expect([stdout, stderr]).toEqual(['200\n', ''])
  })

  it('keeps what the user trusts in NODE_EXTRA_CA_CERTS', async () => {
    const { env, folder } = aUser()
    const own = await ownCertificate(join(folder, 'own'), Date.now())
    const extended = { ...env, NODE_EXTRA_CA_CERTS: own.file }
    expect((await run(call, extended)).stdout).toBe('200\n')
    const { stdout } = await run(tell, extended)
    expect(stdout).toContain(own.cert)
    expect(stdout.match(/BEGIN CERTIFICATE/g)).toHaveLength(2)
  })

  it('says what to do if both cannot be kept', async () => {
    const { env, folder } = aUser()
    const none = join(folder, 'none.pem')
    const { stderr } = await run('', { ...env, NODE_EXTRA_CA_CERTS: none })
    expect(stderr).toContain(`localhost.crt to ${none} (NODE_EXTRA_CA_CERTS), so that`)
  })
})

describe('--tls-cert and --tls-key', () => {
  it('are used, and their certificate is trusted if it is self-signed', async () => {
    const { env, folder } = aUser()
    const { cert, key, file } = await ownCertificate(join(folder, 'own'), Date.now())
    writeFileSync(join(folder, 'key.pem'), key)
    const args = ['--tls-cert', file, '--tls-key', join(folder, 'key.pem')]
    const { ready } = await serveJson(args, { env })
    expect(ready.certificate).toBe(file)
    expect(await statusOf(`${ready.url}/pets`, cert)).toBe(200)
    expect((await runCommand(['clock'], { env })).code).toBe(0)
  })

  it('are refused with every mistake', async () => {
    const folder = directoryWith({ text: 'no PEM' })
    const mine = await ownCertificate(folder, Date.now())
    const other = await ownCertificate(join(folder, 'other'), Date.now())
    const keyFile = join(folder, 'other.key')
    writeFileSync(keyFile, other.key)
    const told = async (...args: string[]) => {
      const { code, stderr } = await runCommand(['--port', '0', ...args], { cwd: folder })
      return [code, withoutPages(stderr).trim()]
    }
    expect(await told('--tls-cert', mine.file)).toEqual([
      2,
      '--tls-cert: add --tls-key FILE, its private key',
    ])
    expect(await told('--tls-key', keyFile)).toEqual([2, '--tls-key: add --tls-cert FILE, the certificate'])
    expect(await told('--tls-cert', 'text', '--tls-key', 'none')).toEqual([
      2,
      '--tls-cert: text has no certificate in PEM form\n--tls-key: cannot read none (no such file)',
    ])
    expect(await told('--tls-cert', mine.file, '--tls-key', keyFile)).toEqual([
      2,
      `--tls-key: ${keyFile} is not the private key of ${mine.file}`,
    ])
  })
})
