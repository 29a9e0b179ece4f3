/** What of @fluent/bundle the page uses; it is not loaded as a module, so it offers itself on `globalThis`. */
declare global {
  var FluentBundle: {
    FluentBundle: new (locale: string, options: { useIsolating: boolean }) => {
      addResource(resource: object): unknown;
      getMessage(id: string): { value: object | null } | undefined;
      hasMessage(id: string): boolean;
      formatPattern(pattern: object, values?: Record<string, string | number | object>, faults?: Error[]): string;
    };
    FluentNumber: new (value: number) => { value: number; toString(scope: object): string };
    FluentResource: new (text: string) => object;
  };
  /** The catalogue that first_paint.js has begun to fetch. */
  var sapperWords: Promise<{ language: string; text: string }>;
  /** Fetches the words of screens that come later. */
  var sapperLaterWords: () => Promise<string>;
  var sapperLanguages: readonly string[];
}
export {};
