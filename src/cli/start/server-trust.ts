import { X509Certificate } from 'node:crypto'
import type { ServerTrust } from '../../library/client/exchange.ts'
import { readRunFiles } from './run-files.ts'

/**
 * Trusts the certificate that a running server of this user wrote into its run file, at that server's address. Undefined for
 * other servers.
 */
export async function serverTrust(url: string): Promise<ServerTrust | undefined> {
  const { origin, protocol } = new URL(url)
  const runs = protocol === 'https:' ? await readRunFiles() : []
  const certificate = runs.find(run => run.certificate && new URL(run.admin).origin === origin)?.certificate
  if (certificate === undefined) return undefined
  const { raw: expected } = new X509Certificate(certificate)
  return {
    ca: certificate,
    allowPartialTrustChain: true,
    // The same certificate is more than the same name.
    checkServerIdentity: (_host, { raw }) =>
      expected.equals(raw) ? undefined : new Error('another server has this address'),
  }
}
