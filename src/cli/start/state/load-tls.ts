import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto'
import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir, platform } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import type { KeyPair } from '../../../doors/server/node-server.ts'
import { makeFolder } from '../../../library/files/folders.ts'
import { explainFileError, readText } from '../../../library/files/read-file.ts'
import type { Environment } from '../../terminal/io.ts'
import type { ServeFlagValues } from '../load/load-from-flags.ts'
import { complaintsOf, failed, type Loading } from '../load/loading.ts'
import { writeWholeFile } from './write-whole-file.ts'

export interface Tls extends KeyPair {
  readonly file: string
  /** Clients that trust the file trust the server. */
  readonly isSelfSigned: boolean
}

/** Loads the certificate and key of the flags, or makes those of `--tls`. */
export async function loadTls({ values, sources }: ServeFlagValues, env: Environment): Promise<Loading<Tls>> {
  const { 'tls-cert': certFile, 'tls-key': keyFile } = values
  if (certFile === undefined && keyFile === undefined) return loadOwn(sources.tls, env)
  if (certFile === undefined) return failed(`${sources['tls-key']}: add --tls-cert FILE, the certificate`)
  if (keyFile === undefined) return failed(`${sources['tls-cert']}: add --tls-key FILE, its private key`)
  const [cert, key] = await Promise.all([
    readPem(certFile, sources['tls-cert'], 'certificate', text => new X509Certificate(text)),
    readPem(keyFile, sources['tls-key'], 'private key without a passphrase', text => createPrivateKey(text)),
  ])
  if (!cert.ok || !key.ok) return failed(...complaintsOf(cert, key))
  const certificate = cert.value.read
  if (!certificate.checkPrivateKey(key.value.read))
    return failed(`${sources['tls-key']}: ${keyFile} is not the private key of ${certFile}`)
  const isSelfSigned = certificate.issuer === certificate.subject && certificate.verify(certificate.publicKey)
  const pair = { cert: cert.value.text, key: key.value.text }
  return { ok: true, value: { ...pair, file: resolve(certFile), isSelfSigned } }
}

async function loadOwn(source: string, env: Environment): Promise<Loading<Tls>> {
  const folder = cacheFolder(env)
  try {
    return { ok: true, value: { ...(await ownCertificate(folder, Date.now())), isSelfSigned: true } }
  } catch (error) {
    const reason = explainFileError(error)
    const remedy = 'Set XDG_CACHE_HOME to another folder, or use --tls-cert and --tls-key.'
    return failed(`${source}: cannot keep the certificate in ${folder} (${reason}). ${remedy}`)
  }
}

async function readPem<T>(
  file: string,
  source: string,
  what: string,
  read: (text: string) => T,
): Promise<Loading<{ readonly text: string; readonly read: T }>> {
  try {
    const text = await readText(file)
    try {
      return { ok: true, value: { text, read: read(text) } }
    } catch {
      return failed(`${source}: ${file} has no ${what} in PEM form`)
    }
  } catch (error) {
    return failed(`${source}: cannot read ${file} (${explainFileError(error)})`)
  }
}

const day = 86_400_000
/** Apple's systems reject certificates for more than 825 days. */
const validMs = 365 * day
/** A server may run for weeks after its start. */
const renewedMs = 30 * day

/**
 * The self-signed certificate for localhost, 127.0.0.1 and ::1 in a folder. It is made once for all servers of the user, and
 * again a month before its end. Rejects with Node's system error if it cannot be written.
 */
export async function ownCertificate(folder: string, now: number) {
  const file = join(folder, 'localhost.crt')
  const text = await readKept(folder)
  const kept = readPair(text)
  if (kept !== undefined && isGood(kept, now) && (await isOwn(join(folder, pairName)))) {
    // It may have been removed, or its server ended before writing it.
    if ((await readFile(file, 'utf8').catch(() => '')) !== kept.cert) await replaceFile(file, kept.cert)
    return { ...kept, file }
  }
  makeFolder(folder, 0o700)
  await keep(folder, text, await make(now))
  // Another server may have been first.
  const pair = readPair(await readKept(folder))
  if (pair === undefined) throw new Error('the file was removed again')
  await replaceFile(file, pair.cert)
  return { ...pair, file }
}

const pairName = 'localhost.pem'

/** Undefined if there is no file, or none that can be read. */
function readKept(folder: string): Promise<string | undefined> {
  return readFile(join(folder, pairName), 'utf8').catch(() => undefined)
}

/** Key and certificate are in one file, so that two servers that start at once never mix theirs. */
function readPair(text: string | undefined = ''): KeyPair | undefined {
  const [cert] = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----\n/.exec(text) ?? []
  const [key] = /-----BEGIN PRIVATE KEY-----[\s\S]*?-----END PRIVATE KEY-----\n/.exec(text) ?? []
  return cert === undefined || key === undefined ? undefined : { cert, key }
}

/** In a cache folder that others can write to, another user may own the file. With wide rights, others may know the key. */
async function isOwn(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined)
  return process.getuid === undefined || (stats?.uid === process.getuid() && (stats.mode & 0o077) === 0)
}

function isGood({ cert, key }: KeyPair, now: number): boolean {
  try {
    const certificate = new X509Certificate(cert)
    const isFresh = Date.parse(certificate.validTo) - now > renewedMs
    return isFresh && certificate.checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}

async function make(now: number): Promise<KeyPair> {
  const { generate } = await import('selfsigned')
  const names = [
    { type: 2, value: 'localhost' },
    { type: 7, ip: '127.0.0.1' },
    { type: 7, ip: '::1' },
  ] as const
  // OpenSSL takes certificates of one name for the same, and an old one may still be trusted.
  const commonName = `pet-mock on localhost ${randomUUID().slice(0, 8)}`
  const made = await generate([{ name: 'commonName', value: commonName }], {
    keyType: 'ec',
    algorithm: 'sha256',
    // The clocks of clients, such as virtual machines, may be slow.
    notBeforeDate: new Date(now - day),
    notAfterDate: new Date(now + validMs),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: [...names] },
    ],
  })
  return { cert: withNewline(made.cert), key: withNewline(made.private) }
}

function withNewline(pem: string): string {
  return `${pem.replaceAll('\r', '').trim()}\n`
}

/** Writes the file unless another server has just done so. Only the `old` one is moved away before, not one of another server. */
async function keep(folder: string, old: string | undefined, { cert, key }: KeyPair): Promise<void> {
  const path = join(folder, pairName)
  const temporary = `${path}.${randomUUID()}`
  try {
    await writeFile(temporary, key + cert, { mode: 0o600 })
    if (old !== undefined && old === (await readKept(folder)))
      await rename(path, `${temporary}.old`).catch(() => {})
    await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return undefined
      // Some file systems have no links.
      return rename(temporary, path)
    })
  } finally {
    await rm(temporary, { force: true })
    await rm(`${temporary}.old`, { force: true })
  }
}

/** Readers in other processes see all of it or nothing. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await writeWholeFile(path, `${path}.${randomUUID()}`, () => [text], 0o600)
}

/** Where programs of the user keep what they can make again (XDG Base Directory Specification). */
export function cacheFolder(
  { XDG_CACHE_HOME: xdg = '', LOCALAPPDATA: local = '' }: Environment,
  system: NodeJS.Platform = platform(),
  home: string = homedir(),
): string {
  if (isAbsolute(xdg)) return join(xdg, 'pet-mock')
  if (system === 'darwin') return join(home, 'Library', 'Caches', 'pet-mock')
  if (system === 'win32')
    return join(local === '' ? join(home, 'AppData', 'Local') : local, 'pet-mock', 'Cache')
  return join(home, '.cache', 'pet-mock')
}
