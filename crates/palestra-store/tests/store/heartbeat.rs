//! The heartbeat.

use crate::NOW_MS;
use crate::place::on_both;

on_both! {
    async fn the_last_beat_is_remembered(store: Store) {
        assert_eq!(store.last_beat().await.unwrap(), None);
        for now_ms in [NOW_MS, NOW_MS + 1000] {
            store.beat(now_ms).await.unwrap();
            assert_eq!(store.last_beat().await.unwrap(), Some(now_ms));
        }
    }
}
