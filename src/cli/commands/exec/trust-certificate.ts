import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { makeFolder } from '../../../library/files/folders.ts'
import { readText } from '../../../library/files/read-file.ts'
import { cacheFolder, replaceFile } from '../../start/state/load-tls.ts'
import type { Environment } from '../../terminal/io.ts'

/** Lets Node trust a certificate besides NODE_EXTRA_CA_CERTS, which takes one file: both go into another. */
export async function trustCertificate(
  certificate: string,
  env: Environment,
  notice: (text: string) => void,
): Promise<Environment> {
  const { NODE_EXTRA_CA_CERTS: own = '' } = env
  if (own === '') return { NODE_EXTRA_CA_CERTS: certificate }
  try {
    const both = `${(await readText(own)).trimEnd()}\n${await readText(certificate)}`
    const folder = cacheFolder(env)
    const name = createHash('sha256').update(both).digest('hex').slice(0, 16)
    const path = join(folder, `trusted-${name}.crt`)
    makeFolder(folder, 0o700)
    await replaceFile(path, both)
    return { NODE_EXTRA_CA_CERTS: path }
  } catch {
    notice(`Add ${certificate} to ${own} (NODE_EXTRA_CA_CERTS), so that the command trusts pet-mock.`)
    return {}
  }
}
