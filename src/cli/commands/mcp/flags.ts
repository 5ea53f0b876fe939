import { serverFlags } from '../../arguments/server-flags.ts'

const { url, port, 'admin-token': adminToken } = serverFlags

export const mcpFlags = {
  url: { ...url, about: 'the URL of the API or the admin plane [a server on this machine, at each call]' },
  port,
  'admin-token': adminToken,
}
