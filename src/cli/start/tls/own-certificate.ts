import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto'
import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../../doors/disk/make-folder.ts'
import type { KeyPair } from '../../../doors/server/node-server.ts'

const day = 86_400_000
/** Apple's systems reject certificates for more than 825 days. */
const validMs = 365 * day
/** A server may run for weeks after its start. */
const renewedMs = 30 * day

/**
 * The self-signed certificate for localhost, 127.0.0.1 and ::1 in a folder. It is made once for all servers of the user, and
 * again a month before its end. Rejects with Node's system error if it cannot be written.
 */
export async function ownCertificate(
  folder: string,
  now: number,
): Promise<KeyPair & { readonly file: string }> {
  const file = join(folder, 'localhost.crt')
  const kept = await readPair(folder)
  if (kept !== undefined && isGood(kept, now) && (await isOwn(join(folder, pairName)))) {
    // It may have been removed, or its server ended before writing it.
    if ((await readFile(file, 'utf8').catch(() => '')) !== kept.cert) await replace(file, kept.cert)
    return { ...kept, file }
  }
  makeFolder(folder, 0o700)
  await keep(folder, await make(now))
  // Another server may have been first.
  const pair = await readPair(folder)
  if (pair === undefined) throw new Error('the file was removed again')
  await replace(file, pair.cert)
  return { ...pair, file }
}

const pairName = 'localhost.pem'

/** Key and certificate are in one file, so that two servers that start at once never mix theirs. */
async function readPair(folder: string): Promise<KeyPair | undefined> {
  const text = await readFile(join(folder, pairName), 'utf8').catch(() => '')
  const [cert] = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----\n/.exec(text) ?? []
  const [key] = /-----BEGIN PRIVATE KEY-----[\s\S]*?-----END PRIVATE KEY-----\n/.exec(text) ?? []
  return cert === undefined || key === undefined ? undefined : { cert, key }
}

/** In a cache folder that others can write to, another user may own the file, and know the key. */
async function isOwn(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined)
  return process.getuid === undefined || stats?.uid === process.getuid()
}

function isGood({ cert, key }: KeyPair, now: number): boolean {
  try {
    const certificate = new X509Certificate(cert)
    return (
      Date.parse(certificate.validTo) - now > renewedMs && certificate.checkPrivateKey(createPrivateKey(key))
    )
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

/** Writes the file unless another server has just done so. An old one is moved away before. */
async function keep(folder: string, { cert, key }: KeyPair): Promise<void> {
  const path = join(folder, pairName)
  const temporary = `${path}.${randomUUID()}`
  await rename(path, `${temporary}.old`).catch(() => {})
  try {
    await writeFile(temporary, key + cert, { mode: 0o600 })
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

async function replace(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}`
  await writeFile(temporary, text, { mode: 0o600 })
  await rename(temporary, path)
}
