import { adminUrl, baseUrl } from '../../doors/server/base-url.ts'
import type { BannerFacts } from './banner.ts'
import { jsonLine } from './json-line.ts'

/** The first line of the JSON log. It shows the configured keys in full. */
export function readyLine({ version, host, port, scenario }: BannerFacts, pid: number): string {
  return jsonLine({
    event: 'ready',
    url: baseUrl(host, port),
    admin: adminUrl(host, port),
    scenario: scenario.name,
    key: scenario.key,
    keys: Object.fromEntries([...scenario.keys].map(([key, { plan }]) => [key, plan])),
    version,
    pid,
  })
}
