//! The pages of a PDF are counted in a box.

use crate::support::sandbox;

#[test]
fn pages_are_counted_in_a_box() {
    let kids: String = (3..10).map(|page| format!("{page} 0 R ")).collect();
    let pages: String = (3..10).map(|page| format!("{page} 0 obj << /Type /Page >> endobj\n")).collect();
    let pdf = format!(
        "%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n\
         2 0 obj << /Type /Pages /Kids [{kids}] /Count 2 >> endobj\n{pages}trailer << /Root 1 0 R >>\n%%EOF\n"
    );
    assert_eq!(sandbox().count_pages(pdf.as_bytes()).unwrap(), Some(7));
    assert_eq!(sandbox().count_pages(b"%PDF-1.4 and nothing more").unwrap(), None);
}
