import { createPrivateKey, X509Certificate } from 'node:crypto'
import { resolve } from 'node:path'
import { explainFileError, readText } from '../../../doors/disk/read-text.ts'
import type { KeyPair } from '../../../doors/server/node-server.ts'
import type { Environment } from '../../terminal/io.ts'
import type { ServeFlagValues } from '../load/load-from-flags.ts'
import { failed, type Loading } from '../load/loading.ts'
import { cacheFolder } from './cache-folder.ts'

/** The certificate of a server that speaks HTTPS. */
export interface Tls extends KeyPair {
  /** The absolute path of the certificate. */
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
  if (!cert.ok) return key.ok ? cert : failed(...cert.complaints, ...key.complaints)
  if (!key.ok) return key
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
    const { ownCertificate } = await import('./own-certificate.ts')
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
