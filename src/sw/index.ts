import { serveArt } from './art.ts';
import { deleteForeignCaches } from './cleanup.ts';
import { listenToPages } from './messages.ts';
import { preloadPages, servePages } from './navigation.ts';
import { precacheStorefront } from './precache.ts';
import { scope } from './scope.ts';
import { serveSiteData } from './site-data.ts';

// What is answered, in this order; everything else goes to the network as if there were no worker.
servePages();
serveSiteData();
serveArt();
precacheStorefront();

// What pages may ask for: the update, copies for later, and to be forgotten.
listenToPages();

// A new worker waits until the customer accepts it; pages that have no worker yet get this one, without a reload.
scope.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([deleteForeignCaches(), preloadPages(), scope.clients.claim()]));
});
