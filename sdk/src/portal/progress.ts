import type { Send } from '../exchange.ts';

export type Progress = {
  /** Bytes on their way, those of the form around the file included. */
  sent: number;
  total: number;
};

function headersIn(text: string): [string, string][] {
  return text
    .trim()
    .split(/[\r\n]+/)
    .filter((line) => line.includes(':'))
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);
}

/** What fetch cannot tell, and only browsers can: how much has been sent. */
export function sendWithProgress(onProgress: (progress: Progress) => void): Send {
  return (url, { method = 'POST', headers, body, signal }, extend) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, url);
      new Headers(headers).forEach((value, name) => {
        request.setRequestHeader(name, value);
      });
      request.upload.onprogress = ({ loaded, total }) => {
        extend();
        onProgress({ sent: loaded, total });
      };
      request.onload = () => {
        const { status, responseText, responseURL } = request;
        // It follows redirects by itself, and only tells afterwards.
        if (responseURL !== url) return reject(new TypeError('the request was redirected'));
        resolve(new Response(responseText, { status, headers: headersIn(request.getAllResponseHeaders()) }));
      };
      request.onerror = () => reject(new TypeError('the request failed'));
      request.onabort = () => reject(signal?.reason);
      signal?.addEventListener('abort', () => request.abort());
      request.send(body as FormData); // callers send forms alone
    });
}
