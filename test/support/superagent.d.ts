declare module 'superagent' {
  interface Response {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
  }
  interface Request extends PromiseLike<Response> {
    readonly set: (headers: Readonly<Record<string, string>>) => Request
    readonly retry: (count: number) => Request
    readonly ok: (isFine: () => boolean) => Request
  }
  const superagent: { readonly get: (url: string) => Request }
  export default superagent
}
