type RenderOptions = {
  sitekey: string;
  callback(token: string): void;
  'expired-callback'(): void;
  'error-callback'(): boolean;
  'refresh-expired': 'auto';
  appearance: 'always' | 'interaction-only';
  theme: 'light' | 'dark';
};

type Api = {
  render(container: HTMLElement, options: RenderOptions): string;
  reset(widgetId: string): void;
  remove(widgetId: string): void;
};

declare global {
  interface Window {
    turnstile?: Api;
  }
}

const scriptUrl = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit';

let loading: Promise<Api> | undefined;

/** Once a page; a failure is not kept, so that the next widget tries again. */
export function loadCloudflare(): Promise<Api> {
  loading ??= new Promise<Api>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = scriptUrl;
    script.async = true;
    script.onload = () =>
      window.turnstile === undefined ? reject(new Error('no turnstile')) : resolve(window.turnstile);
    script.onerror = () => reject(new Error('the script of Turnstile did not load'));
    document.head.append(script);
  }).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
